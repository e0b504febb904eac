// Calls of high risk: the turn parks, and the same turn goes on with what the person said.
#include "tests/integration/agent/approvals_world.hpp"
#include "tests/support/held_lock.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::approvals_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// covers: S1.02 X.07
TEST_F(approvals, a_pressed_button_lets_the_same_turn_go_on) {
    ask();
    ASSERT_THAT(chat.sent, SizeIs(1));
    EXPECT_THAT(chat.sent[0].content.text, HasSubstr("remove\n  path: \"a.txt\""));
    EXPECT_THAT(state.removed, IsEmpty());
    EXPECT_EQ(press("approve", user_id{666}), "not_yours");
    EXPECT_EQ(press("approve", requester()), "taken");
    until_over(1);

    EXPECT_THAT(state.removed, ElementsAre("a.txt"));
    EXPECT_EQ(told(), "removed");
    EXPECT_EQ(
        approval("state || ' ' || decided_via || ' ' || (used_at is not null)::text"),
        "approved button true"
    );
    ASSERT_THAT(chat.edited, SizeIs(1));
    EXPECT_THAT(chat.edited[0].second.text, HasSubstr("Approved"));
    EXPECT_THAT(chat.edited[0].second.buttons, IsEmpty());
    EXPECT_EQ(chat.sent.back().content.text, "It is done.");
    EXPECT_EQ(w.value("select count(*) from postrider.question"), "0");
}

// Neither the person of the turn nor an owner decides then, by a button or in words.
// covers: X.07
TEST_F(approvals, are_given_by_the_approvers_of_the_node_alone) {
    graph_ = careful_graph({{"approvers", {8}}});
    ask();

    EXPECT_EQ(press("approve", requester()), "not_yours");
    EXPECT_EQ(press("approve", owner), "not_yours");
    EXPECT_EQ(approval("state"), "waiting");
    EXPECT_EQ(press("approve", user_id{8}), "taken");
    until_over(1);

    EXPECT_THAT(state.removed, ElementsAre("a.txt"));
}

// covers: X.07
TEST_F(approvals, are_given_in_words_by_approvers_alone) {
    graph_ = careful_graph({{"approvers", {8}}});
    ask();

    say("yes", owner);
    w.until(
        "select max(heard_to) from postrider.wait", w.value("select max(job_id) from postrider.job")
    );
    EXPECT_EQ(approval("state"), "waiting");
    say("yes", user_id{8});
    w.until("select state from postrider.approval", "approved");

    EXPECT_EQ(approval("decided_by"), "8");
}

// covers: S1.03
// A client of one's own making may say what is on no button.
TEST_F(approvals, take_a_press_of_no_button_for_nothing) {
    ask();
    for (auto const* choice : {"approve:approve", "", "Approve", "approved", "all"})
        EXPECT_EQ(press(choice, requester()), "not_open") << choice;
    EXPECT_EQ(press("approve", requester(), false), "not_open") << "it closes the question";

    EXPECT_EQ(approval("state"), "waiting");
    EXPECT_EQ(press("approve", requester()), "taken");
    until_over(1);
    EXPECT_THAT(state.removed, ElementsAre("a.txt"));
}

// covers: X.07
TEST_F(approvals, of_a_cancelled_turn_are_withdrawn_and_lose_their_buttons) {
    ask();
    w.execute("select postrider.job_cancel(job_id) from postrider.job");
    engine_node_->engine->wake();
    w.until("select state from postrider.job where kind = 'question_end'", "completed");

    EXPECT_EQ(approval("state"), "withdrawn");
    EXPECT_EQ(w.value("select count(*) from postrider.question"), "0");
    EXPECT_EQ(
        w.value("select detail ->> 'after' from postrider.audit where kind = 'approval' "
                "and detail ->> 'after' <> 'waiting'"),
        "withdrawn"
    );
    ASSERT_EQ(chat.edited.size(), 1u);
    EXPECT_TRUE(chat.edited[0].second.buttons.empty());
    auto const& asked = chat.sent.at(0).content.text;
    EXPECT_EQ(
        chat.edited[0].second.text,
        asked.substr(0, asked.rfind("\n\n")) + "\n\n↩️ Withdrawn: it was not done"
    ) << "what was asked stays readable, and how to answer it goes";
    EXPECT_EQ(w.value("select count(*) from postrider.effect where state = 'failed'"), "0");
}

// covers: X.07
TEST_F(approvals, of_a_cancelled_turn_are_withdrawn_in_the_language_of_their_person) {
    say("Lösche bitte die Datei a.txt");
    w.until("select state from postrider.job order by job_id desc limit 1", "waiting");
    w.execute("select postrider.job_cancel(job_id) from postrider.job");
    engine_node_->engine->wake();
    w.until("select state from postrider.job where kind = 'question_end'", "completed");

    ASSERT_EQ(chat.edited.size(), 1u);
    EXPECT_THAT(
        chat.edited[0].second.text, HasSubstr("↩️ Zurückgezogen: es wurde nicht ausgeführt")
    );
}

TEST_F(approvals, a_clear_no_in_words_rejects_it_and_the_model_is_told) {
    ask();
    say("no, please don't");
    until_over(2);

    EXPECT_THAT(state.removed, IsEmpty());
    EXPECT_THAT(told(), HasSubstr("rejected this call"));
    EXPECT_THAT(model.requests, SizeIs(2)) << "the answer had no turn of its own";
    EXPECT_EQ(approval("state || ' ' || decided_via"), "rejected text");
}

TEST_F(approvals, a_clear_yes_in_words_approves_it) {
    ask();
    say("yes");
    until_over(2);
    EXPECT_THAT(state.removed, ElementsAre("a.txt"));
    EXPECT_EQ(approval("state"), "approved");
}

// A flow's lane may have the messages of several chats, and what people say to each other.
TEST_F(approvals, a_yes_in_another_chat_or_to_somebody_else_approves_nothing) {
    for (auto const& elsewhere : {json::object{{"chat", 8}}, json::object{{"addressed", false}}}) {
        model.script = {call("a.txt"), says("It is done."), says("And hello.")};
        ask();
        say("yes", requester(), elsewhere);
        w.until("select count(*) from postrider.job where state <> 'completed'", "0");

        EXPECT_THAT(state.removed, IsEmpty()) << json::serialize(elsewhere);
        EXPECT_EQ(approval("state", "order by created_at desc limit 1"), "withdrawn");
    }
}

// What was asked belongs to one person.
TEST_F(approvals, are_neither_given_nor_withdrawn_by_another_member) {
    constexpr user_id ben{98};
    ask();
    say("yes", ben);
    say("never mind, what is the weather?", owner);
    w.until(
        "select max(heard_to) from postrider.wait", w.value("select max(job_id) from postrider.job")
    );
    EXPECT_EQ(approval("state"), "waiting");
    EXPECT_THAT(state.removed, IsEmpty());
    model.script.push_back(says("It rains."));

    say("yes");
    until_over(4);
    EXPECT_THAT(state.removed, ElementsAre("a.txt"));
    EXPECT_EQ(approval("decided_by"), base::to_string(requester()));
    ASSERT_THAT(chat.sent, SizeIs(4));
    EXPECT_EQ(chat.sent[3].content.text, "It rains.") << "they have their turns behind it";
}

TEST_F(approvals, other_words_withdraw_the_question_and_have_their_own_turn) {
    ask();
    say("How are you?");
    until_over(2);

    EXPECT_THAT(state.removed, IsEmpty());
    EXPECT_THAT(told(), HasSubstr("withdrawn"));
    ASSERT_THAT(model.requests, SizeIs(3));
    EXPECT_EQ(model.requests[2].messages.back().content, "How are you?");
    EXPECT_EQ(approval("state"), "withdrawn");
    EXPECT_THAT(chat.edited.at(0).second.text, HasSubstr("Withdrawn"));
}

TEST_F(approvals, are_decided_over_the_api_too) {
    ask();
    auto const decision = decide(approval("approval_id"), true);
    EXPECT_TRUE(decision.done) << decision.detail;
    until_over(1);
    EXPECT_THAT(state.removed, ElementsAre("a.txt"));
    EXPECT_THAT(chat.edited.at(0).second.text, HasSubstr("Approved"));
}

// covers: X.07
TEST_F(approvals, are_for_what_was_asked_about_and_nothing_else) {
    ask();
    state.description = "Removes a whole disk.";
    graph_ = careful_graph();
    EXPECT_EQ(press("approve", requester()), "taken");
    until_over(1);

    EXPECT_THAT(state.removed, IsEmpty());
    EXPECT_THAT(told(), HasSubstr("withdrawn"));
    EXPECT_EQ(approval("state"), "withdrawn");
}

// covers: X.07
TEST_F(approvals, are_withdrawn_when_the_schema_changes_under_which_they_were_asked_for) {
    ask();
    state.path["maxLength"] = 100;
    graph_ = careful_graph();
    EXPECT_EQ(press("approve", requester()), "taken");
    until_over(1);

    EXPECT_THAT(state.removed, IsEmpty());
    EXPECT_THAT(told(), HasSubstr("withdrawn"));
    EXPECT_EQ(approval("state"), "withdrawn");
    EXPECT_THAT(chat.edited.back().second.text, HasSubstr("Withdrawn"));
}

// covers: X.07
TEST_F(approvals, that_fit_the_tool_no_more_are_withdrawn) {
    ask();
    state.path["maxLength"] = 2;
    graph_ = careful_graph();
    EXPECT_EQ(press("approve", requester()), "taken");
    until_over(1);

    EXPECT_THAT(state.removed, IsEmpty());
    EXPECT_EQ(approval("count(*)", "where used_at is not null"), "0");
}

// covers: X.07
TEST_F(approvals, are_withdrawn_when_the_risk_changes_of_what_they_were_asked_for) {
    ask();
    state.harmless = "a.txt";
    graph_ = careful_graph();
    EXPECT_EQ(press("approve", requester()), "taken");
    until_over(1);

    EXPECT_THAT(state.removed, IsEmpty());
    EXPECT_THAT(told(), HasSubstr("withdrawn"));
    EXPECT_EQ(approval("state"), "withdrawn");
}

// covers: E.21
TEST_F(approvals, hold_up_nobody_else_while_somebody_holds_their_row_in_psql) {
    model.script = {call("a.txt"), says("Hello."), says("It is done.")};
    ask();
    held_lock held(w.url(), "select 1 from postrider.approval for update");
    EXPECT_EQ(press("approve", requester()), "taken") << "a press waits for nobody";

    w.enqueue(
        *engine_node_,
        w.make_lane("1:8:0"),
        std::string(flow::turn_kind),
        heard_in({bot_id{1}, chat_id{8}, {}})
    );
    w.until("select state from postrider.job order by job_id desc limit 1", "completed");
    EXPECT_THAT(state.removed, IsEmpty());
    held.release();
    until_over(2);

    EXPECT_THAT(state.removed, ElementsAre("a.txt"));
    EXPECT_EQ(approval("state"), "approved");
}

// covers: X.07 E.08
TEST_F(approvals, survive_the_process) {
    ask();
    auto const before = model.requests.size();
    w.io.run(engine_node_->engine->drain(5s));
    start();
    EXPECT_EQ(press("approve", requester()), "taken");
    until_over(1);
    EXPECT_THAT(state.removed, ElementsAre("a.txt"));
    EXPECT_EQ(model.requests.size(), before + 1) << "no model call was repeated";
    EXPECT_THAT(chat.sent, SizeIs(2)) << "it was asked once";
}

} // namespace
} // namespace postrider::tests::approvals_test
