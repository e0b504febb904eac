// Reactions of people to answers, as an agent hears of them with the next question.
#include "agent/language/notices.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::answer_reactions_test {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::HasSubstr;
using testing::Not;

struct answer_reactions : testing::Test {
    // Of the turn before, and the question of this one.
    void said_before(json::value detail) {
        add(job_id{base::raw(w.job.id) - 1}, 0, "user", "When do ferns grow?", {});
        add(job_id{base::raw(w.job.id) - 1}, 2, "assistant", "In spring.", std::move(detail));
        add(w.job.id, 0, "user", "And mosses?", {});
    }
    void add(
        job_id job, int position, std::string_view role, std::string_view text, json::value detail
    ) {
        json::object row{
            {"lane_id", base::raw(w.job.lane)},
            {"job_id", base::raw(job)},
            {"conversation_id", base::raw(w.job.conversation)},
            {"position", position},
            {"role", role},
            {"content", text},
            {"id", std::to_string(base::raw(job)) + "/" + std::to_string(position)}};
        if (!detail.is_null()) row["detail"] = std::move(detail);
        w.table.add(std::move(row));
    }
    void ask() {
        flow::execution_input input;
        input.flow = "conversing";
        input.version = 1;
        input.trigger = "in";
        input.heard = flow::heard_message{.from = {bot_id{1}, chat_id{7}, {}}, .user = user_id{7}};
        w.model.script = {says("All year.")};
        w.run(std::move(input));
    }
    std::string const& context() const { return w.model.requests.at(0).trailing_context; }

    flow_world w{flow_builder("conversing").trigger("In", "telegram.message").agent("Ask").text()};
};

TEST_F(answer_reactions, are_said_to_the_model_with_the_next_question) {
    said_before({{"reactions", {{"7", {"👍", "custom:54"}}, {"8", {"👎"}}}}});
    ask();

    EXPECT_THAT(context(), HasSubstr(R"(👍 a custom emoji from the same person to "In spring.")"));
    EXPECT_THAT(context(), HasSubstr(R"(👎 from another person to "In spring.")"));
}

TEST_F(answer_reactions, that_were_taken_back_are_said_too) {
    said_before({{"reactions", {{"7", json::array{}}}}});
    ask();

    EXPECT_THAT(context(), HasSubstr("a reaction that was taken back from the same person"));
}

TEST_F(answer_reactions, are_not_spoken_of_where_there_are_none) {
    said_before(nullptr);
    ask();

    EXPECT_THAT(context(), Not(HasSubstr("Reactions")));
}

TEST_F(answer_reactions, to_a_message_of_a_person_are_none_to_an_answer) {
    add(job_id{base::raw(w.job.id) - 1},
        0,
        "user",
        "When do ferns grow?",
        {{"reactions", {{"8", {"👍"}}}}});
    add(w.job.id, 0, "user", "And mosses?", {});
    ask();

    EXPECT_THAT(context(), Not(HasSubstr("Reactions")));
}

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

} // namespace postrider::tests::answer_reactions_test
