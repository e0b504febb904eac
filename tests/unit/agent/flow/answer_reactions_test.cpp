// Reactions of people to answers, as an agent hears of them with the next question.
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

} // namespace

} // namespace postrider::tests::answer_reactions_test
