// Files that Telegram gives to no bot, as people and models hear of them.
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

    auto const& words = agent::language::notices_in("en");
    ASSERT_EQ(w.chat.sent.size(), 1u);
    EXPECT_EQ(w.chat.sent[0].content.text, words.too_large);
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
        HasSubstr("larger than the 20 MB that Telegram gives")
    );
}

} // namespace

} // namespace postrider::tests::large_files_test
