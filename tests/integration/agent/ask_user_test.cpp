// The tool ask_user on the real engine: the turn is parked, and every message is heard.
#include "tests/integration/agent/approvals_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::ask_user_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::SizeIs;

class ask_user_on_engine : public approvals {
protected:
    ask_user_on_engine() {
        graph_ = assistant_graph();
        json::object const colours{{"question", "Which colour?"}, {"choices", {"Red", "Blue"}}};
        model.script = {calls({{"ask_user", colours}}), says("Thanks."), says("And hello.")};
    }
    void ask_freely() {
        json::object const freely{{"question", "Which colour?"}};
        model.script = {calls({{"ask_user", freely}}), says("Thanks."), says("And hello.")};
    }
    user_id person() {
        return user_id{std::stoll(w.value("select input ->> 'user' from postrider.job limit 1"))};
    }
    std::string states() {
        return w.value("select string_agg(state, ' ' order by job_id) from postrider.job");
    }
};

TEST_F(ask_user_on_engine, waits_for_the_press_and_goes_on_in_the_same_turn) {
    ask();
    EXPECT_EQ(w.value("select count(*) from postrider.question"), "1");
    EXPECT_THAT(
        w.value("select e.request -> 'buttons' from postrider.question q join postrider.effect e "
                "on e.job_id = q.job_id and e.key = q.effect"),
        HasSubstr("Blue")
    );

    EXPECT_EQ(press("1", person()), "taken");
    until_over(1);

    EXPECT_EQ(told(), "Blue");
    ASSERT_THAT(chat.sent, SizeIs(2));
    EXPECT_EQ(chat.sent[1].content.text, "Thanks.");
    EXPECT_EQ(w.value("select count(*) from postrider.question"), "0");
    EXPECT_EQ(w.value("select count(*) from postrider.effect where flagged"), "0");
}

TEST_F(ask_user_on_engine, outlives_the_process_that_asked) {
    ask();
    w.io.run(engine_node_->engine->drain(5s));
    start();

    EXPECT_EQ(press("0", person()), "taken");
    until_over(1);

    EXPECT_EQ(told(), "Red");
    EXPECT_THAT(chat.sent, SizeIs(2)) << "it is asked once";
}

// covers: S1.02
TEST_F(ask_user_on_engine, is_withdrawn_by_other_words_which_have_their_turn) {
    ask();

    say("Never mind, hello!");
    until_over(2);

    EXPECT_THAT(told(), HasSubstr("withdrawn"));
    ASSERT_THAT(chat.sent, SizeIs(3));
    EXPECT_EQ(chat.sent[2].content.text, "And hello.");
    EXPECT_THAT(chat.edited.at(0).second.text, HasSubstr("⌛"));
    EXPECT_EQ(w.value("select count(*) from postrider.question"), "0");
}

TEST_F(ask_user_on_engine, takes_a_choice_in_words) {
    ask();

    say("blue");
    until_over(2);

    EXPECT_EQ(told(), "Blue");
    EXPECT_THAT(model.requests, SizeIs(2)) << "the message is the answer and has no turn";
}

TEST_F(ask_user_on_engine, without_choices_hears_the_next_message_as_the_answer) {
    ask_freely();
    ask();

    say("teal, I think");
    until_over(2);

    EXPECT_EQ(told(), "teal, I think");
    EXPECT_THAT(model.requests, SizeIs(2));
    EXPECT_EQ(states(), "completed completed");
}

TEST_F(ask_user_on_engine, ends_when_its_time_is_up) {
    ask();

    w.pass("2 hours");
    clock.advance(2h);
    until_over(1);

    EXPECT_THAT(told(), HasSubstr("did not answer in time"));
}

} // namespace
} // namespace postrider::tests::ask_user_test
