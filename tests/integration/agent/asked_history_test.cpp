// Questions to people and what they press stand in the history, as whatever else is said there.
#include "storage/stores/answers.hpp"
#include "tests/integration/agent/approvals_world.hpp"
#include "tests/support/flow_builder.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::asked_history_test {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;

using agent::chat_message;
using agent::role;

class asked_history : public approvals {
protected:
    void ask_for_a_colour() {
        graph_ = assistant_graph();
        json::object const colours{{"question", "Which colour?"}, {"choices", {"Red", "Blue"}}};
        model.script = {calls({{"ask_user", colours}}), says("Thanks."), says("And hello.")};
        ask();
    }
    user_id person() {
        return user_id{std::stoll(w.value("select input ->> 'user' from postrider.job limit 1"))};
    }
    // What was said, without calls and their results.
    std::string said() {
        return w.value(
            "select string_agg(role || ': ' || content, ' | ' order by job_id, position) "
            "from postrider.message where postrider.was_said(role, detail)"
        );
    }
    std::string pending() {
        return w.value("select count(*) from postrider.message where delivery = 'pending'");
    }
    std::vector<chat_message> const& last_seen() { return model.requests.back().messages; }
};

auto message(role by, std::string const& text) {
    return AllOf(Field(&chat_message::role, by), Field(&chat_message::content, HasSubstr(text)));
}

// covers: S2.15
TEST_F(asked_history, has_the_question_and_the_pressed_answer) {
    ask_for_a_colour();
    EXPECT_EQ(said(), "user: Remove a.txt | assistant: Which colour?") << "while it waits";

    press("1", person());
    until_over(1);

    EXPECT_EQ(
        said(), "user: Remove a.txt | assistant: Which colour? | user: Blue | assistant: Thanks."
    );
    EXPECT_EQ(pending(), "0");

    say("What did you ask me?");
    until_over(2);
    EXPECT_THAT(last_seen(), Contains(message(role::assistant, "Which colour?")));
    EXPECT_THAT(last_seen(), Contains(message(role::user, "Blue")));
}

// A call and its results stay side by side, or no provider takes the history.
TEST_F(asked_history, puts_nothing_between_a_call_and_its_result) {
    ask_for_a_colour();
    press("1", person());
    until_over(1);

    EXPECT_EQ(
        w.value("select string_agg(role, ' ' order by position) from postrider.message"),
        "user assistant tool assistant user assistant"
    );
    EXPECT_EQ(
        w.value("select string_agg(postrider.origin_of(m), ' ' order by position) "
                "from postrider.message m"),
        "person agent agent agent person agent"
    );
}

TEST_F(asked_history, has_them_once_whatever_happens_to_the_process) {
    ask_for_a_colour();
    w.io.run(engine_node_->engine->drain(5s));
    start();
    press("1", person());
    until_over(1);

    EXPECT_EQ(
        said(), "user: Remove a.txt | assistant: Which colour? | user: Blue | assistant: Thanks."
    );
}

// Words have a row of their own.
TEST_F(asked_history, has_an_answer_in_words_once) {
    ask_for_a_colour();
    say("blue");
    until_over(2);

    EXPECT_EQ(
        said(), "user: Remove a.txt | assistant: Which colour? | assistant: Thanks. | user: blue"
    );
}

// covers: S2.15
TEST_F(asked_history, has_what_a_person_was_asked_before_a_tool_acts) {
    ask();
    EXPECT_THAT(said(), HasSubstr("assistant: "));
    press("approve", requester());
    until_over(1);

    EXPECT_THAT(said(), HasSubstr("path: \"a.txt\""));
    EXPECT_EQ(w.value("select origin from postrider.message where detail ? 'asked'"), "engine")
        << "an approval is no question of the agent's";
    EXPECT_THAT(said(), testing::EndsWith(" | user: Approve | assistant: It is done."));
    EXPECT_EQ(pending(), "0");
}

// It repeats the arguments of a call, which the model wrote itself.
TEST_F(asked_history, has_the_whole_text_of_a_request_for_people_and_not_for_models) {
    std::string const path(2000, 'a');
    model.script = {call(path), says("It is done."), says("And hello.")};
    ask();
    EXPECT_EQ(press("all", requester(), false), "taken");
    w.until("select count(*) from postrider.wait where key like '%press-2'", "1");
    press("approve", requester());
    until_over(1);

    EXPECT_EQ(
        w.value(
            "select string_agg(delivery, ' ') from postrider.message "
            "where content like '%" +
            path + "%' and role = 'assistant'"
        ),
        "sent"
    );
    say("Hello!");
    until_over(2);
    EXPECT_THAT(last_seen(), testing::Not(Contains(message(role::assistant, path))));
}

// Whose turn fails afterwards is told so.
TEST_F(asked_history, takes_the_whole_text_of_a_request_for_no_answer) {
    model.script = {call(std::string(2000, 'a')), says("It is done.")};
    ask();
    EXPECT_EQ(press("all", requester(), false), "taken");
    w.until("select count(*) from postrider.wait where key like '%press-2'", "1");

    job_id const job{std::stoll(w.value("select max(job_id) from postrider.job"))};
    auto& reads = *engine_node_->quick;
    auto const answered = w.io.run(storage::was_answered(reads, lane_, job, "model", 5s));
    EXPECT_FALSE(answered.value());
}

TEST_F(asked_history, of_those_who_decide_has_the_whole_text_for_them_alone) {
    graph_ = silent_graph();
    services_->approvers = {{bot_id{1}, chat_id{71}}};
    model.script = {call(std::string(2000, 'a')), says("It is done.")};
    w.execute("select postrider.enqueue_later('1:7:0', 'turn', '{\"flow\": \"careful\", "
              "\"version\": 1, \"data\": {\"text\": \"Remove a.txt\"}}')");
    engine_node_->engine->wake();
    w.until("select count(*) from postrider.wait", "1");

    EXPECT_EQ(press("all", user_id{71}, false), "taken");
    w.until("select count(*) from postrider.wait where key like '%press-2'", "1");

    EXPECT_EQ(
        w.value(
            "select string_agg(case when m.conversation_id = 0 then 'people' else 'all' end, ' ' "
            "order by position) from postrider.message m join postrider.lane using (lane_id) "
            "where lane_key = '1:71:0'"
        ),
        "all people"
    );
    press("approve", user_id{71});
    until_over(1);
    EXPECT_EQ(pending(), "0");
}

// What is begun anew is asked anew, in whatever chat.
TEST_F(asked_history, of_another_chat_puts_a_press_aside_when_the_turn_is_restarted) {
    json::array const choices{{{"name", "yes"}, {"text", "Yes"}}, {{"name", "no"}, {"text", "No"}}};
    graph_ = compiled_with_remove(
        flow_builder("asking")
            .trigger("In", "telegram.message")
            .node("Ask", "telegram.ask", {{"text", "Tea?"}, {"chat", 8}, {"choices", choices}})
            .text()
    );
    place = "1:8";
    ask();
    EXPECT_EQ(press("1", user_id{3}), "taken");
    until_over(1);
    w.value("select (postrider.job_restart(job_id)).code from postrider.job limit 1");
    engine_node_->engine->wake();
    w.until("select state from postrider.job limit 1", "waiting");
    EXPECT_EQ(press("0", user_id{4}), "taken");
    until_over(1);

    EXPECT_EQ(
        w.value("select string_agg(content, ' ' order by position) from postrider.message "
                "join postrider.lane using (lane_id) where lane_key = '1:8:0' and position >= 0"),
        "Tea? Yes"
    );
}

TEST_F(asked_history, has_no_answer_where_nobody_pressed) {
    ask();
    say("Never mind, hello!");
    until_over(2);

    EXPECT_EQ(w.value("select count(*) from postrider.message where detail ? 'pressed'"), "0");
    EXPECT_EQ(w.value("select count(*) from postrider.message where detail ? 'asked'"), "1");
}

// What is begun anew is asked anew: the press was for what went before.
TEST_F(asked_history, puts_a_press_aside_with_the_question_when_the_turn_is_restarted) {
    ask_for_a_colour();
    press("1", person());
    until_over(1);
    json::object const colours{{"question", "Which colour?"}, {"choices", {"Red", "Blue"}}};
    model.script.push_back(calls({{"ask_user", colours}}));
    model.script.push_back(says("Thanks again."));
    model.script.erase(model.script.begin());

    w.value("select (postrider.job_restart(job_id)).code from postrider.job limit 1");
    engine_node_->engine->wake();
    w.until("select state from postrider.job limit 1", "waiting");
    press("0", person());
    until_over(1);

    EXPECT_THAT(
        w.value("select string_agg(content, ' ' order by position) from postrider.message "
                "where role = 'user' and position > 0"),
        testing::StartsWith("Red")
    );
}

} // namespace
} // namespace postrider::tests::asked_history_test
