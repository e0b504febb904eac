// telegram.ask in a chat; tests/integration/server/api/presses_test.cpp has it in a conversation.
#include "agent/speech/question.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace postrider::tests::ask_node_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::string asking(json::array approvers = {}) {
    return flow_builder("asking")
        .trigger("In", "telegram.message")
        .node(
            "Ask",
            "telegram.ask",
            {{"text", "Tea?"},
             {"timeout", "10min"},
             {"approvers", std::move(approvers)},
             {"choices", json::array{{{"name", "yes"}, {"text", "Yes, please"}}, {{"name", "no"}}}}}
        )
        .after("Ask", "yes")
        .node("Tea", "set", {{"fields", {{"then", "tea"}}}})
        .after("Ask", "no")
        .node("None", "set", {{"fields", {{"then", "nothing"}}}})
        .after("Ask", "timeout")
        .node("Late", "set", {{"fields", {{"then", "too late"}}}})
        .text();
}

flow::execution_input heard() {
    flow::execution_input input;
    input.heard = flow::heard_message{{bot_id{1}, chat_id{5}}, user_id{7}, telegram_message_id{50}};
    return input;
}

json::value pressed(std::string choice) {
    agent::press const press{user_id{7}, "Ann", telegram_message_id{1001}, std::move(choice), "p1"};
    return agent::to_json(press, {bot_id{1}, chat_id{5}});
}

TEST(ask_node, asks_with_buttons_and_goes_on_at_the_output_of_the_answer) {
    flow_world w(asking());
    w.events["press"] = pressed("0");
    auto const outcome = w.run(heard());

    ASSERT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
    ASSERT_THAT(w.chat.sent, SizeIs(1));
    auto const& content = w.chat.sent[0].content;
    EXPECT_EQ(content.text, "Tea?");
    ASSERT_THAT(content.buttons, SizeIs(1));
    ASSERT_THAT(content.buttons[0], SizeIs(2));
    EXPECT_EQ(content.buttons[0][0].text, "Yes, please");
    EXPECT_EQ(content.buttons[0][1].text, "no");
    EXPECT_THAT(w.told, Contains("> Tea"));
    EXPECT_THAT(w.told, Not(Contains("> Late")));
    ASSERT_THAT(w.chat.edited, SizeIs(1));
    EXPECT_THAT(w.chat.edited[0].second.text, HasSubstr("Yes, please"));
    EXPECT_THAT(w.chat.edited[0].second.buttons, IsEmpty());
    auto const rows = w.table.in_order();
    ASSERT_THAT(rows, SizeIs(2)) << "models read what was asked, and what was pressed";
    EXPECT_EQ(rows[0].at("content"), "Tea?");
    EXPECT_EQ(rows[0].at("delivery"), "sent");
    EXPECT_EQ(rows[1].at("content"), "Yes, please");
    EXPECT_EQ(rows[1].at("role"), "user");
}

TEST(ask_node, goes_on_at_timeout_where_nobody_answers) {
    flow_world w(asking());
    auto const outcome = w.run(heard());

    ASSERT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
    EXPECT_FALSE(outcome.degraded) << "the flow has a way for it";
    EXPECT_THAT(w.told, Contains("> Late"));
    EXPECT_THAT(w.told, Not(Contains("> Tea")));
    ASSERT_THAT(w.chat.edited, SizeIs(1));
    EXPECT_THAT(w.chat.edited[0].second.buttons, IsEmpty());
}

// Telegram lets clients of one's own making send any data.
TEST(ask_node, takes_a_press_of_no_choice_for_no_answer) {
    flow_world w(asking());
    w.events["press"] = pressed("99");
    auto const outcome = w.run(heard());

    ASSERT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
    EXPECT_THAT(w.told, Contains("> Late"));
}

// The press is judged where it is taken in, by the question's row (telegram/presses_test.cpp).
TEST(ask_node, is_answered_by_its_approvers_alone) {
    flow_world w(asking({8, 9}));
    w.run(heard());

    auto const opens = std::ranges::find_if(w.record.writes, [](storage::write const& row) {
        return row.row.find("people") != std::string::npos;
    });
    ASSERT_NE(opens, w.record.writes.end());
    EXPECT_THAT(opens->row, HasSubstr(R"("people":[8,9])"));
}

TEST(ask_node, hears_words_of_its_approvers_alone) {
    for (int const user : {7, 8}) {
        flow_world w(asking({8, 9}));
        w.events["press"] = json::object{
            {"input", {{"bot", 1}, {"chat", 5}, {"user", user}}}, {"text", "yes, please"}};
        w.run(heard());

        EXPECT_EQ(std::ranges::count(w.told, "> Tea"), user == 8 ? 1 : 0) << user;
    }
}

// A run that comes after a crash asks nothing twice.
TEST(ask_node, asks_once_over_all_runs) {
    flow_world w(asking());
    w.events["press"] = pressed("1");
    w.run(heard());
    w.run(heard());

    EXPECT_THAT(w.chat.sent, SizeIs(1));
    EXPECT_THAT(w.told, Contains("> None"));
}

TEST(ask_node, shows_a_choice_as_plain_text_below_a_question_in_html) {
    flow_world w(flow_builder("html")
                     .trigger("In", "telegram.message")
                     .node(
                         "Ask",
                         "telegram.ask",
                         {{"text", "<b>{{ '<Tea>?' }}</b>"},
                          {"format", "html"},
                          {"choices", json::array{{{"name", "yes"}, {"text", "<yes>"}}}}}
                     )
                     .text());
    w.events["press"] = pressed("0");
    w.run(heard());

    ASSERT_THAT(w.chat.sent, SizeIs(1));
    EXPECT_EQ(w.chat.sent[0].content.text, "<b>&lt;Tea&gt;?</b>");
    ASSERT_THAT(w.chat.edited, SizeIs(1));
    EXPECT_THAT(w.chat.edited[0].second.text, HasSubstr("→ &lt;yes&gt;"));
}

} // namespace
} // namespace postrider::tests::ask_node_test
