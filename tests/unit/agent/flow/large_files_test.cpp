// Files that Telegram gives to no bot, as people and models hear of them.
#include "agent/flow/run/large_file_text.hpp"
#include "agent/language/notices.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::large_files_test {

namespace {

namespace flow = agent::flow;
using testing::HasSubstr;

TEST(large_files, are_answered_with_the_reason) {
    flow_world w(flow_builder("hearing").trigger("In", "telegram.message").agent("Ask").text());
    flow::execution_input input;
    input.flow = "hearing";
    input.version = 1;
    input.command = "(unread)"; // as the intake names it
    flow::heard_message heard{.from = {bot_id{1}, chat_id{7}, {}}, .user = user_id{7}};
    heard.file = agent::message_file{"BQAC", "film.mp4", "video/mp4", agent::most_loaded_bytes + 1};
    input.heard = heard;

    w.run(input);

    ASSERT_EQ(w.chat.sent.size(), 1u);
    EXPECT_EQ(w.chat.sent[0].content.text, flow::text_of_large_file(*heard.file, "en"));
}

TEST(large_files, have_a_name_and_a_size_beyond_the_limit) {
    agent::message_file file{"BQAC", "film.mp4", "video/mp4", agent::most_loaded_bytes + 1};
    EXPECT_THAT(flow::text_of_large_file(file, "en"), HasSubstr("“film.mp4” has 20.1 MB"));
    EXPECT_THAT(flow::text_of_large_file(file, "de"), HasSubstr("„film.mp4“ hat 20,1 MB"));
    file.bytes = std::int64_t{1536} << 20;
    EXPECT_THAT(flow::text_of_large_file(file, "en"), HasSubstr(" 1536.0 MB"));
}

// Whichever part of the album it is.
TEST(large_files, are_told_apart_from_others_of_their_album) {
    flow_world w(flow_builder("hearing").trigger("In", "telegram.message").agent("Ask").text());
    flow::execution_input input;
    input.flow = "hearing";
    input.version = 1;
    input.command = "(unread)";
    flow::heard_message heard{.from = {bot_id{1}, chat_id{7}, {}}, .user = user_id{7}};
    heard.file = agent::message_file{"BQAC", "report.pdf", "application/pdf", 10};
    heard.more_files = {{"BQAD", "film.mp4", "video/mp4", agent::most_loaded_bytes + 1}};
    input.heard = heard;

    w.run(input);

    ASSERT_EQ(w.chat.sent.size(), 1u);
    EXPECT_EQ(
        w.chat.sent[0].content.text,
        flow::text_of_large_file(heard.more_files[0], "en") + "\n" +
            agent::language::notices_in("en").unread
    );
}

TEST(large_files, with_words_are_explained_to_the_model) {
    flow_world w(flow_builder("hearing").trigger("In", "telegram.message").agent("Ask").text());
    w.model.script = {says("It is too large.")};
    flow::execution_input input;
    input.flow = "hearing";
    input.version = 1;
    input.trigger = "in";
    flow::heard_message heard{.from = {bot_id{1}, chat_id{7}, {}}, .user = user_id{7}};
    heard.attachment = "video \"film.mp4\"";
    heard.file = agent::message_file{"BQAC", "film.mp4", "video/mp4", agent::most_loaded_bytes + 1};
    input.heard = heard;

    w.run(input);

    EXPECT_THAT(
        w.model.requests.at(0).trailing_context,
        HasSubstr("\"film.mp4\": larger than the 20 MB that Telegram gives")
    );
}

} // namespace

} // namespace postrider::tests::large_files_test
