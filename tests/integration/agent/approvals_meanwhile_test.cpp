// What else happens while a call waits for a person: decisions over the API, changed tools, restarts, owners.
#include "tests/integration/agent/approvals_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::approvals_meanwhile_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST_F(approvals, that_were_decided_over_the_api_stand_beside_a_press) {
    model.script = {
        calls({{"remove", {{"path", "a"}}}, {"remove", {{"path", "b"}}}}), says("It is done.")};
    ask();
    auto const of_a = approval("approval_id", "where call like '%tool:1'");
    EXPECT_TRUE(decide(of_a, false).done);
    EXPECT_EQ(press("approve", user_id{7}), "taken");
    until_over(1);

    EXPECT_THAT(state.removed, ElementsAre("b"));
    EXPECT_EQ(approval("string_agg(state, ' ' order by call)"), "rejected approved");
    EXPECT_THAT(chat.edited.at(0).second.text, HasSubstr("1. ❌ Rejected"));
}

// An owner says so in the settings while a turn is under way: what has run needs no question.
TEST_F(approvals, are_asked_for_from_now_on_when_a_risk_is_raised) {
    state.harmless = "a.txt";
    model.script = {call("a.txt"), call("b.txt"), says("It is done.")};
    ask();
    state.harmless = "";
    graph_ = careful_graph();
    EXPECT_EQ(press("approve", requester()), "taken");
    until_over(1);
    EXPECT_THAT(state.removed, ElementsAre("a.txt", "b.txt"));
    EXPECT_EQ(approval("count(*)"), "1");
}

// The question that waits says nothing of it, and nobody is asked twice about a round.
TEST_F(approvals, do_not_let_a_call_run_unasked_whose_risk_is_raised_meanwhile) {
    state.harmless = "b";
    model.script = {
        calls({{"remove", {{"path", "a"}}}, {"remove", {{"path", "b"}}}}), says("It is done.")};
    ask();
    state.harmless = "";
    graph_ = careful_graph();
    EXPECT_EQ(press("approve", requester()), "taken");
    until_over(1);

    EXPECT_THAT(state.removed, ElementsAre("a"));
    EXPECT_THAT(told(), HasSubstr("not run"));
    EXPECT_EQ(approval("count(*)"), "1");
    EXPECT_THAT(chat.edited.at(0).second.text, HasSubstr("Approved"));
}

// What has run is not taken back because its tool changes while the next call waits.
TEST_F(approvals, that_were_used_stay_so_when_the_tool_changes) {
    model.script = {call("a.txt"), call("b.txt"), says("It is done.")};
    ask();
    EXPECT_EQ(press("approve", requester()), "taken");
    w.until("select count(*) from postrider.approval", "2");
    w.until("select state from postrider.job", "waiting");
    state.description = "Removes a whole disk.";
    graph_ = careful_graph();
    EXPECT_EQ(press("approve", user_id{7}), "taken");
    until_over(1);

    EXPECT_THAT(state.removed, ElementsAre("a.txt"));
    EXPECT_EQ(approval("state", "where used_at is not null"), "approved");
    EXPECT_EQ(approval("state", "where used_at is null"), "withdrawn");
    EXPECT_EQ(model.requests.at(2).messages.at(2).content, "removed");
    EXPECT_THAT(chat.edited.back().second.text, HasSubstr("Withdrawn"));
}

TEST_F(approvals, are_asked_for_anew_in_a_job_s_next_life) {
    model.script = {call("a.txt"), says("It is done."), call("a.txt"), says("Done again.")};
    ask();
    EXPECT_EQ(press("reject", requester()), "taken");
    until_over(1);
    w.execute("select postrider.job_restart(job_id) from postrider.job");
    engine_node_->engine->wake();
    w.until("select state from postrider.job", "waiting");
    EXPECT_EQ(approval("count(*)"), "2");

    EXPECT_TRUE(decide(approval("approval_id", "where state = 'waiting'"), true).done);
    until_over(1);
    EXPECT_THAT(state.removed, ElementsAre("a.txt"));
    EXPECT_EQ(approval("string_agg(state, ' ' order by created_at)"), "rejected approved");
    EXPECT_EQ(approval("state", "where used_at is not null"), "approved");
}

// Its first question is over: whoever still sees its buttons is told so.
TEST_F(approvals, of_a_turn_that_is_begun_anew_while_it_waits_are_withdrawn) {
    model.script = {call("a.txt"), call("a.txt"), says("It is done.")};
    ask();
    auto const question = w.value("select question_id from postrider.question");
    auto const old = approval("approval_id");
    w.execute("select postrider.job_restart(job_id) from postrider.job");
    engine_node_->engine->wake();
    w.until("select count(*) from postrider.approval", "2");
    w.until("select state from postrider.job where kind = 'turn'", "waiting");

    EXPECT_EQ(approval("count(*)", "where state = 'waiting'"), "1");
    EXPECT_EQ(approval("state", "where approval_id = '" + old + "'"), "withdrawn");
    EXPECT_EQ(decide(old, true).code, "over");
    EXPECT_EQ(w.value("select count(*) from postrider.question"), "1");
    EXPECT_EQ(
        w.value("select postrider.press_button('" + question + "', '1:7', 7, true, true, '{}')"),
        "not_open"
    );
    EXPECT_EQ(press("approve", requester()), "taken");
    until_over(1);
    EXPECT_THAT(state.removed, ElementsAre("a.txt"));
}

// A question whose steps stay in the record waits on, with the same buttons.
TEST_F(approvals, wait_on_where_a_turn_is_begun_anew_behind_their_question) {
    ask();
    w.execute("select postrider.job_restart(job_id, 'ask/approval:1') from postrider.job");
    engine_node_->engine->wake();
    w.until("select count(*) from postrider.wait", "1");
    w.until("select state from postrider.job", "waiting");

    EXPECT_EQ(approval("count(*)", "where state = 'waiting'"), "1");
    EXPECT_EQ(press("reject", requester()), "taken");
    until_over(1);
    EXPECT_THAT(state.removed, IsEmpty());
}

// covers: X.07
TEST_F(approvals, are_good_for_one_life_of_the_turn) {
    model.script = {call("a.txt"), says("It is done."), says("Again."), says("In a fork.")};
    ask();
    EXPECT_EQ(press("approve", requester()), "taken");
    until_over(1);
    w.execute("select postrider.job_restart(job_id, 'ask/tool:1') from postrider.job");
    engine_node_->engine->wake();
    until_over(1);

    EXPECT_THAT(state.removed, ElementsAre("a.txt"));
    ASSERT_THAT(model.requests, SizeIs(3));
    EXPECT_THAT(model.requests[2].messages.back().content, HasSubstr("not run"));

    w.execute("select postrider.job_fork(job_id, 'ask/tool:1') from postrider.job");
    engine_node_->engine->wake();
    until_over(2);
    EXPECT_THAT(state.removed, ElementsAre("a.txt"));
    ASSERT_THAT(model.requests, SizeIs(4));
    EXPECT_THAT(model.requests[3].messages.back().content, HasSubstr("not run"));
    EXPECT_EQ(approval("state", "where used_at is not null"), "approved") << "of the first life";
}

TEST_F(approvals, that_cannot_be_asked_for_are_withdrawn) {
    chat.failures = {base::error(base::errc::refused, "blocked by the user")};
    say("Remove a.txt");
    until_over(1);

    EXPECT_THAT(state.removed, IsEmpty());
    EXPECT_THAT(told(), HasSubstr("not run"));
    EXPECT_EQ(approval("state"), "withdrawn");
    EXPECT_EQ(w.value("select count(*) from postrider.question"), "0");
    EXPECT_EQ(w.value("select reason from postrider.degraded_jobs"), "undelivered");
}

TEST_F(approvals, that_nobody_decides_in_time_degrade_their_turn) {
    services_->approval_timeout = std::chrono::milliseconds{1};
    say("Remove a.txt");
    until_over(1);

    EXPECT_THAT(state.removed, IsEmpty());
    EXPECT_THAT(told(), HasSubstr("Nobody approved"));
    EXPECT_EQ(w.value("select reason from postrider.degraded_jobs"), "question_expired");
}

// covers: X.07
TEST_F(approvals, of_a_turn_without_a_chat_reach_those_who_decide) {
    graph_ = silent_graph();
    services_->approvers = {{bot_id{1}, chat_id{70}}, {bot_id{1}, chat_id{71}}};
    chat.failures = {base::error(base::errc::refused, "never wrote to the bot")};
    w.execute("select postrider.enqueue_later('1:7:0', 'turn', '{\"flow\": \"careful\", "
              "\"version\": 1, \"data\": {\"text\": \"Remove a.txt\"}}')");
    engine_node_->engine->wake();
    w.until("select count(*) from postrider.wait", "1");

    ASSERT_THAT(chat.sent, SizeIs(1)) << "the other one cannot be written to";
    EXPECT_EQ(chat.sent[0].to.chat, chat_id{71});
    EXPECT_THAT(chat.sent[0].content.text, HasSubstr("a.txt"));
    EXPECT_EQ(press("approve", user_id{72}), "not_yours");
    pressed_in = chat_id{71};
    EXPECT_EQ(press("approve", user_id{71}), "taken");
    until_over(1);
    EXPECT_THAT(state.removed, ElementsAre("a.txt"));
    ASSERT_THAT(chat.edited, SizeIs(1));
    EXPECT_THAT(chat.edited[0].second.text, HasSubstr("Approved"));
    EXPECT_TRUE(chat.edited[0].second.buttons.empty());
    EXPECT_EQ(
        w.value("select string_agg(concat_ws(' ', l.lane_key, m.role, m.delivery, "
                "m.telegram_message_id), ', ' order by l.lane_key, m.position) "
                "from postrider.message m join postrider.lane l using (lane_id) "
                "where l.lane_key like '1:7_:0'"),
        "1:70:0 assistant failed, 1:71:0 assistant sent 1001, 1:71:0 user"
    ) << "each chat has its own, and the press stands where the button was";
}

// covers: X.07 X.23
TEST_F(approvals, of_a_turn_without_a_chat_reach_the_approvers_of_its_agent) {
    graph_ = silent_graph({{"approvers", {70}}});
    services_->approvers = {{bot_id{1}, chat_id{71}}};
    services_->approver_chats = [](std::vector<user_id> const& users) {
        std::vector<agent::address> chats;
        for (auto const user : users) chats.push_back({bot_id{1}, chat_id{base::raw(user)}});
        return chats;
    };
    w.execute("select postrider.enqueue_later('1:7:0', 'turn', '{\"flow\": \"careful\", "
              "\"version\": 1, \"data\": {\"text\": \"Remove a.txt\"}}')");
    engine_node_->engine->wake();
    w.until("select count(*) from postrider.wait", "1");

    ASSERT_THAT(chat.sent, SizeIs(1));
    EXPECT_EQ(chat.sent[0].to.chat, chat_id{70});
}

// Whoever wrote last in a watched group decides nothing, by a button or in words.
// covers: X.07 S4.17
TEST_F(approvals, of_what_happens_in_a_watched_group_are_given_in_private) {
    graph_ = silent_graph();
    services_->approvers = {{bot_id{1}, chat_id{71}}};
    say("Remove a.txt", user_id{7}, {{"seen", {{"event", "message"}}}});
    w.until("select count(*) from postrider.wait", "1");

    ASSERT_THAT(chat.sent, SizeIs(1));
    EXPECT_EQ(chat.sent[0].to.chat, chat_id{71});
    EXPECT_EQ(press("approve", user_id{7}), "not_yours");
    EXPECT_EQ(approval("state"), "waiting");
    EXPECT_THAT(state.removed, IsEmpty());
    pressed_in = chat_id{71};
    EXPECT_EQ(press("approve", user_id{71}), "taken");
    until_over(1);

    EXPECT_THAT(state.removed, ElementsAre("a.txt"));
}

// A customer of a business account has no word, and hears of no question.
// covers: X.07
TEST_F(approvals, of_what_a_customer_asks_for_are_given_by_owners_in_private) {
    graph_ = silent_graph();
    services_->approvers = {{bot_id{1}, chat_id{71}}};
    say("Remove a.txt", user_id{7}, {{"chat", 4503599627370497}});
    w.until("select count(*) from postrider.wait", "1");

    ASSERT_THAT(chat.sent, SizeIs(1));
    EXPECT_EQ(chat.sent[0].to.chat, chat_id{71});
    EXPECT_EQ(press("approve", user_id{7}), "not_yours");
    EXPECT_THAT(state.removed, IsEmpty());
}

// The group is not deaf meanwhile.
TEST_F(approvals, of_what_happens_in_a_watched_group_are_withdrawn_by_its_next_message) {
    graph_ = silent_graph();
    services_->approvers = {{bot_id{1}, chat_id{71}}};
    say("Remove a.txt", user_id{7}, {{"seen", {{"event", "message"}}}});
    w.until("select count(*) from postrider.wait", "1");

    say("yes", user_id{7}, {{"seen", {{"event", "message"}}}});
    until_over(2);

    EXPECT_EQ(approval("state"), "withdrawn");
    EXPECT_THAT(state.removed, IsEmpty());
}

TEST_F(approvals, wait_no_longer_for_somebody_who_looks_at_the_whole_text) {
    model.script = {call(std::string(2000, 'a')), says("It is done.")};
    ask();
    clock.advance(timeout - 5min);
    EXPECT_EQ(press("all", requester(), false), "taken");
    w.until("select count(*) from postrider.wait where key like '%press-2'", "1");
    EXPECT_EQ(
        w.value("select until_at - since <= interval '5 minutes' from postrider.wait "
                "where key like '%press-2'"),
        "t"
    );
    EXPECT_EQ(press("approve", requester()), "taken");
    until_over(1);
    EXPECT_THAT(state.removed, SizeIs(1));
}

// Whoever was asked is there under the new id by now.
TEST_F(approvals, are_answered_in_the_supergroup_that_the_group_became) {
    for (bool const by_button : {true, false}) {
        chat.moves.clear();
        ask();
        chat.moves[chat_id{7}] = chat_id{-1007};
        w.execute("insert into postrider.chat (bot_id, chat_id, migrated_to) values (1, 7, -1007) "
                  "on conflict do nothing");
        place = "1:-1007";
        if (by_button)
            EXPECT_EQ(press("approve", requester()), "taken");
        else
            say("yes", std::nullopt, {{"chat", -1007}});
        w.until("select count(*) from postrider.busy_lane", "0");
        EXPECT_THAT(state.removed, SizeIs(1)) << by_button;
        state.removed.clear();
        model.requests.clear();
        model.script = {call("a.txt"), says("It is done.")};
    }
}

TEST_F(approvals, of_several_parts_end_at_the_last_one) {
    chat.part_size = 40;
    ask();
    ASSERT_THAT(chat.sent, SizeIs(testing::Gt(1u)));
    EXPECT_EQ(press("approve", requester()), "taken");
    until_over(1);
    ASSERT_THAT(chat.edited, SizeIs(1));
    auto const& shown = chat.edited.front().second;
    EXPECT_LE(shown.text.size(), chat.part_size);
    EXPECT_THAT(shown.text, HasSubstr("Approved"));
    EXPECT_THAT(shown.buttons, IsEmpty());
}

// Each look is a step of the record: it does not grow without end.
TEST_F(approvals, show_the_whole_text_a_few_times) {
    model.script = {call(std::string(2000, 'a')), says("It is done.")};
    ask();
    EXPECT_THAT(chat.sent.at(0).content.buttons, SizeIs(2));
    for (int look = 2; look <= 6; ++look) {
        EXPECT_EQ(press("all", requester(), false), "taken");
        w.until(
            "select count(*) from postrider.wait where key like '%press-" + std::to_string(look) +
                "'",
            "1"
        );
        EXPECT_EQ(chat.edited.size(), look < 6 ? 0u : 1u);
    }
    EXPECT_EQ(chat.edited.at(0).second.text, chat.sent.at(0).content.text);
    EXPECT_EQ(chat.edited.at(0).second.buttons.size(), 1u);
    EXPECT_EQ(press("approve", requester()), "taken");
    until_over(1);
    EXPECT_THAT(state.removed, SizeIs(1));
}

TEST_F(approvals, name_the_owner_who_answers_for_somebody) {
    ask();
    say("yes", owner);
    until_over(2);
    EXPECT_THAT(state.removed, ElementsAre("a.txt"));
    EXPECT_EQ(approval("decided_by"), "99");
    EXPECT_THAT(chat.edited.at(0).second.text, HasSubstr("Approved by an owner"));
}

TEST_F(approvals, speak_the_language_of_the_message) {
    say("Lösche bitte die Datei a.txt");
    w.until("select state from postrider.job order by job_id desc limit 1", "waiting");
    ASSERT_THAT(chat.sent, SizeIs(1));
    auto const& asked = chat.sent[0].content;
    EXPECT_EQ(
        asked.text,
        "Darf ich das tun?\n\nremove\n  path: \"a.txt\"\n\nAntworte mit Ja oder Nein, oder tippe "
        "auf "
        "einen Knopf."
    );
    EXPECT_EQ(asked.buttons.at(0).at(0).text, "Genehmigen");
    EXPECT_EQ(asked.buttons.at(0).at(1).text, "Ablehnen");
    say("ja", owner);
    until_over(2);

    EXPECT_THAT(state.removed, ElementsAre("a.txt"));
    EXPECT_THAT(chat.edited.at(0).second.text, HasSubstr("✅ Genehmigt von einem Besitzer"));
}

TEST_F(approvals, of_many_calls_are_shown_in_the_order_of_the_question) {
    std::vector<std::pair<std::string, json::object>> many;
    for (char name = 'a'; name <= 'k'; ++name)
        many.emplace_back("remove", json::object{{"path", std::string(1, name)}});
    model.script = {calls(many), says("It is done.")};
    ask();
    for (int i = 1; i <= 11; ++i) {
        auto const of_call = "where call like '%tool:" + std::to_string(i) + "'";
        EXPECT_TRUE(decide(approval("approval_id", of_call), i == 2).done);
    }
    until_over(1);
    EXPECT_THAT(state.removed, ElementsAre("b"));
    EXPECT_THAT(chat.edited.at(0).second.text, HasSubstr("1. ❌ Rejected\n2. ✅ Approved\n3. ❌"));
}

} // namespace
} // namespace postrider::tests::approvals_meanwhile_test
