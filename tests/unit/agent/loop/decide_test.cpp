#include "agent/loop/decide.hpp"
#include "base/utf8.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::decide_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

chat_reply asking_for(int calls, std::string text = "") {
    chat_reply reply;
    reply.text = std::move(text);
    reply.stop = calls > 0 ? stop_reason::tool_calls : stop_reason::end;
    for (int i = 1; i <= calls; ++i)
        reply.calls.push_back({std::to_string(i), "calculator", boost::json::object{}, {}});
    return reply;
}

chat_reply stopped(stop_reason why, std::string text, int calls = 0) {
    auto reply = asking_for(calls, std::move(text));
    reply.stop = why;
    return reply;
}

language::notices const& english() {
    return language::notices_in("en");
}

// What was decided, as one line.
std::string line_of(next_action const& next) {
    if (auto said = std::get_if<answer>(&next)) return "answer: " + text_of(*said, english());
    if (std::holds_alternative<give_up>(next)) return "give up";
    auto const& tools = std::get<run_tools>(next);
    return "run " + std::to_string(tools.run.size()) + ", refuse " +
           std::to_string(tools.refused.size()) + (tools.concluding ? ", conclude" : "");
}

struct decision {
    char const* name;
    loop_state state;
    chat_reply reply;
    std::string expected;
};

class decide_table : public testing::TestWithParam<decision> {};

TEST_P(decide_table, decides) {
    auto const& row = GetParam();

    EXPECT_EQ(line_of(decide(row.state, {.tool_calls = 5, .rounds = 4}, row.reply)), row.expected);
}

// covers: S0.06
INSTANTIATE_TEST_SUITE_P(
    loop,
    decide_table,
    testing::Values(
        decision{"text", {}, asking_for(0, "yes"), "answer: yes"},
        decision{"first_batch", {}, asking_for(2), "run 2, refuse 0"},
        decision{"text_with_calls_runs_them", {}, asking_for(1, "wait"), "run 1, refuse 0"},
        decision{"exactly_the_limit", {}, asking_for(5), "run 5, refuse 0"},
        decision{"sixth_in_the_batch", {}, asking_for(6), "run 5, refuse 1, conclude"},
        decision{"sixth_later", {1, 5, false}, asking_for(1), "run 0, refuse 1, conclude"},
        decision{
            "limit_within_a_later_batch",
            {1, 4, false},
            asking_for(3),
            "run 1, refuse 2, conclude"},
        decision{"last_but_one", {2, 1, false}, asking_for(1), "run 1, refuse 0, conclude"},
        decision{"last_round", {3, 1, false}, asking_for(1), "give up"},
        decision{"last_round_with_text", {3, 1, false}, asking_for(1, "so far"), "answer: so far"},
        decision{"concluded", {2, 5, true}, asking_for(0, "so far"), "answer: so far"},
        decision{
            "concluded_with_calls_and_text",
            {2, 5, true},
            asking_for(1, "so far"),
            "answer: so far"},
        decision{"concluded_with_calls_alone", {2, 5, true}, asking_for(1), "give up"},
        decision{"concluded_with_nothing", {2, 5, true}, asking_for(0, " \n"), "give up"},
        decision{"empty", {}, asking_for(0, "  "), "answer: I have no answer to that."},
        decision{"cut_short", {}, stopped(stop_reason::length, "half a"), "answer: half a"},
        decision{
            "cut_short_in_a_call", {}, stopped(stop_reason::length, "half a", 1), "answer: half a"},
        decision{
            "broken_off_in_a_call",
            {},
            stopped(stop_reason::broken_off, "half a", 1),
            "answer: half a"},
        decision{"providers_refusal", {}, stopped(stop_reason::refusal, "No."), "answer: No."}
    ),
    [](auto const& named) { return named.param.name; }
);

TEST(decide, silence_of_a_refusal_and_of_a_cut_reply_is_put_into_words) {
    auto refused = std::get<answer>(decide({}, {}, stopped(stop_reason::refusal, "", 1)));
    auto cut = std::get<answer>(decide({}, {}, stopped(stop_reason::length, "")));

    EXPECT_THAT(text_of(refused, english()), HasSubstr("declined"));
    EXPECT_THAT(text_of(cut, english()), HasSubstr("cut off"));
    EXPECT_FALSE(cut.cut);
}

std::string_view shortfall_of(loop_state const& state, chat_reply const& reply) {
    auto const next = decide(state, {.tool_calls = 5, .rounds = 4}, reply);
    if (auto const* up = std::get_if<give_up>(&next)) return to_string(up->shortfall);
    auto const* said = std::get_if<answer>(&next);
    return said && said->shortfall ? to_string(*said->shortfall) : "";
}

TEST(decide, tells_an_answer_that_is_not_what_was_asked_for) {
    loop_state const last{3, 1, false};
    loop_state const concluding{2, 5, true};

    EXPECT_EQ(shortfall_of({}, asking_for(0, "yes")), "");
    EXPECT_EQ(shortfall_of(last, asking_for(0, "yes")), "");
    EXPECT_EQ(shortfall_of(concluding, asking_for(0, "yes")), "");
    EXPECT_EQ(shortfall_of({}, asking_for(0, " ")), "empty_answer");
    EXPECT_EQ(shortfall_of(concluding, asking_for(0, " ")), "empty_answer");
    EXPECT_EQ(shortfall_of({}, stopped(stop_reason::refusal, "No.")), "model_declined");
    EXPECT_EQ(shortfall_of({}, stopped(stop_reason::length, "half a")), "answer_cut");
    EXPECT_EQ(shortfall_of({}, stopped(stop_reason::length, "")), "answer_cut");
    EXPECT_EQ(shortfall_of({}, stopped(stop_reason::broken_off, "half a")), "answer_cut");
    EXPECT_EQ(shortfall_of({}, stopped(stop_reason::broken_off, "")), "answer_cut");
    EXPECT_EQ(shortfall_of(last, asking_for(1, "so far")), "limit_reached");
    EXPECT_EQ(shortfall_of(last, asking_for(1)), "limit_reached");
    EXPECT_EQ(shortfall_of(concluding, asking_for(1, "so far")), "limit_reached");
}

TEST(decide, tells_an_answer_that_was_cut_from_a_whole_one) {
    EXPECT_TRUE(std::get<answer>(decide({}, {}, stopped(stop_reason::length, "half a"))).cut);
    EXPECT_FALSE(std::get<answer>(decide({}, {}, asking_for(0, "yes"))).cut);
}

TEST(decide, cuts_an_answer_that_expressions_could_not_pass_on) {
    std::string text = "x";
    while (text.size() <= longest_answer) text += "ö";

    auto const fits = within_bounds({std::string(longest_answer, 'x')});
    auto const cut = within_bounds({text});

    EXPECT_FALSE(fits.cut);
    EXPECT_EQ(fits.text.size(), longest_answer);
    EXPECT_TRUE(cut.cut);
    EXPECT_LE(cut.text.size(), longest_answer);
    EXPECT_TRUE(base::is_utf8(cut.text));
}

TEST(decide, runs_the_first_calls_and_refuses_the_last) {
    auto tools = std::get<run_tools>(decide({0, 3, false}, {}, asking_for(4)));

    EXPECT_EQ(tools.run.at(0).id, "1");
    EXPECT_EQ(tools.run.at(1).id, "2");
    EXPECT_EQ(tools.refused.at(0).id, "3");
    EXPECT_EQ(tools.refused.at(1).id, "4");
}

TEST(list_results, names_what_worked_and_leaves_errors_out) {
    auto text = list_results({{"calculator", "42", false}, {"search", "boom", true}}, english());

    EXPECT_THAT(text, HasSubstr("- calculator: 42"));
    EXPECT_THAT(text, Not(HasSubstr("boom")));
    EXPECT_THAT(list_results({{"search", "boom", true}}, english()), HasSubstr("none of my tools"));
}

TEST(list_results, shows_nobody_raw_data) {
    tool_result const tasks{"list_todo_tasks", R"( {"tasks": [{"title": "milk"}]})", false};
    tool_result const cut{"search", R"([{"url": "https://exa)", false};
    tool_result const said{"fetch", "[1] The page says so.", false};

    EXPECT_EQ(
        list_results({tasks, cut, tasks}, english()),
        "I could not finish this. I used list_todo_tasks, search."
    );
    EXPECT_EQ(
        list_results({tasks, said}, english()),
        "I could not finish this. What I found out so far:\n- fetch: [1] The page says so.\n"
        "I used list_todo_tasks."
    );
}

TEST(decide, says_in_each_language_what_a_model_did_not) {
    auto const& german = language::notices_in("de");
    auto const told = [&](chat_reply const& reply) {
        return text_of(std::get<answer>(decide({}, {}, reply)), german);
    };
    EXPECT_EQ(told(asking_for(0, " ")), "Darauf habe ich keine Antwort.");
    EXPECT_THAT(told(stopped(stop_reason::refusal, " \n")), HasSubstr("abgelehnt"));
    EXPECT_THAT(told(stopped(stop_reason::length, "")), HasSubstr("zu lang"));
    EXPECT_EQ(told(stopped(stop_reason::refusal, "Non.")), "Non.");
    EXPECT_EQ(
        list_results(
            {{"fetch", "[1] Es regnet.", false}, {"search", R"({"a": 1})", false}}, german
        ),
        "Das konnte ich nicht zu Ende bringen. Bisher habe ich herausgefunden:\n"
        "- fetch: [1] Es regnet.\nBenutzt habe ich search."
    );
}

} // namespace
} // namespace postrider::agent::decide_test
