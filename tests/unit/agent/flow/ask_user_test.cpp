// The tool ask_user: a model's question to the person; tests/integration/agent/ask_user_test.cpp has
// it on the real engine.
#include "agent/speech/question.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::ask_user_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

flow_builder guide() {
    return flow_builder("curious")
        .trigger("In", "telegram.message")
        .agent("Guide", {{"prompt", "{{ $json.text }}"}});
}

std::string sending(flow_builder flow) {
    return flow.node("Out", "telegram.send", {{"text", "{{ $json.text }}"}}).text();
}

auto const curious = sending(guide().part("Ask", "tool.ask_user", {{"timeout", "10min"}}));

json::object colours() {
    return {{"question", "Which colour?"}, {"choices", {"Red", "Blue"}}};
}

struct ask_user : testing::Test {
    ask_user() { w.model.script = {calls({{"ask_user", colours()}}), says("Thanks.")}; }

    void ask_freely() {
        json::object const freely{{"question", "Which colour?"}};
        w.model.script = {calls({{"ask_user", freely}}), says("Thanks.")};
    }
    queue::outcome run() {
        flow::execution_input input;
        input.heard =
            flow::heard_message{{bot_id{1}, chat_id{5}}, user_id{7}, telegram_message_id{50}};
        input.silent = silent;
        return w.run(input);
    }
    static json::value pressed(std::string choice) {
        agent::press const press{
            user_id{7}, "Ann", telegram_message_id{1001}, std::move(choice), "p1"};
        return agent::to_json(press, {bot_id{1}, chat_id{5}});
    }
    static json::value said(std::string_view text, int user = 7, std::string_view command = {}) {
        json::object input{{"bot", 1}, {"chat", 5}, {"thread", 0}, {"user", user}};
        if (!command.empty()) input["command"] = command;
        return {{"job_id", 9}, {"input", std::move(input)}, {"text", text}};
    }
    // What the model read of its call.
    std::string told() { return w.model.requests.at(1).messages.back().content; }

    flow_world w{curious};
    bool silent = false;
};

TEST_F(ask_user, asks_with_a_button_for_each_choice_and_tells_the_model_the_answer) {
    w.events["press"] = pressed("1");

    auto const outcome = run();

    ASSERT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
    ASSERT_THAT(w.chat.sent, SizeIs(2));
    EXPECT_EQ(w.chat.sent[0].content.text, "Which colour?");
    ASSERT_THAT(w.chat.sent[0].content.buttons, SizeIs(1));
    EXPECT_EQ(w.chat.sent[0].content.buttons[0][1].text, "Blue");
    EXPECT_EQ(told(), "Blue");
    ASSERT_THAT(w.chat.edited, SizeIs(1));
    EXPECT_EQ(w.chat.edited[0].second.text, "Which colour?\n\n→ Blue");
    EXPECT_EQ(w.chat.sent[1].content.text, "Thanks.");
}

TEST_F(ask_user, without_choices_takes_the_persons_own_words) {
    ask_freely();
    w.events["press"] = said("teal, I think");

    run();

    EXPECT_THAT(w.chat.sent.at(0).content.buttons, IsEmpty());
    EXPECT_EQ(told(), "teal, I think");
    EXPECT_THAT(w.chat.edited, IsEmpty());
}

TEST_F(ask_user, goes_on_where_nobody_answers) {
    auto const ended = run();

    ASSERT_TRUE(ended.degraded);
    EXPECT_EQ(ended.degraded->reason, "question_expired");
    EXPECT_THAT(told(), HasSubstr("did not answer in time"));
    EXPECT_EQ(w.chat.edited.at(0).second.text, "Which colour?\n\n⌛");
}

TEST_F(ask_user, serves_the_answer_from_the_record) {
    w.events["press"] = pressed("0");
    run();
    w.events.clear();
    w.model.script = {};

    auto const again = run();

    EXPECT_EQ(again.state, queue::job_state::completed) << again.error.detail;
    EXPECT_THAT(w.chat.sent, SizeIs(2));
    EXPECT_THAT(w.model.requests, SizeIs(2));
}

// The record has its steps, whatever became of the tool.
TEST_F(ask_user, serves_the_answer_where_its_node_is_gone) {
    w.events["press"] = pressed("0");
    run();
    auto const asked_before = w.model.requests.size();
    w.graph = compiled(sending(guide()));

    auto const again = run();

    EXPECT_EQ(again.state, queue::job_state::completed) << again.error.detail;
    EXPECT_EQ(w.model.requests.size(), asked_before);
}

TEST_F(ask_user, refuses_what_is_no_question) {
    w.model.script = {calls({{"ask_user", {{"choices", {"Red"}}}}}), says("Sorry.")};

    run();

    EXPECT_THAT(told(), HasSubstr("question"));
    EXPECT_THAT(w.chat.sent, SizeIs(1)) << "the answer alone";
}

TEST_F(ask_user, of_a_silent_fork_asks_nobody) {
    silent = true;

    run();

    EXPECT_THAT(told(), HasSubstr("no person to ask"));
    EXPECT_THAT(w.chat.sent, IsEmpty());
}

// Which messages answer is decided within a commit, of the message alone.
TEST_F(ask_user, takes_no_command_and_nobody_elses_words_for_the_answer) {
    agent::asked_question asked;
    asked.sent.at = {bot_id{1}, chat_id{5}};
    asked.only = user_id{7};
    asked.any_words = true;
    asked.out = &w.chat;
    asked.is_owner = [](bot_id, user_id user) { return user == user_id{9}; };
    auto const event = agent::press_of(asked, w.clock);

    EXPECT_TRUE(event.answered_by(said("teal")));
    EXPECT_FALSE(event.answered_by(said("teal", 8)));
    EXPECT_FALSE(event.answered_by(said("What is the weather?", 9))) << "an owner's own question";
    EXPECT_FALSE(event.answered_by(said("/new", 7, "/new")));
    EXPECT_FALSE(event.answered_by(said("")));

    EXPECT_TRUE(event.concerned_by(said("teal")));
    EXPECT_TRUE(event.concerned_by(said(""))) << "the person turned to something else";
    EXPECT_FALSE(event.concerned_by(said("teal", 8)));
    EXPECT_FALSE(event.concerned_by(said("What is the weather?", 9)));
}

} // namespace
} // namespace postrider::tests::ask_user_test
