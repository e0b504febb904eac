// A turn as a table: what the model says, reply by reply, and what the turn does about it.
#include "agent/loop/turn.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::turn_test {
namespace {

using testing::ElementsAreArray;

chat_reply says(std::string text) {
    chat_reply reply;
    reply.text = std::move(text);
    reply.stop = stop_reason::end;
    return reply;
}

chat_reply calls(int count, std::string text = "") {
    auto reply = says(std::move(text));
    reply.stop = stop_reason::tool_calls;
    for (int i = 1; i <= count; ++i)
        reply.calls.push_back({std::to_string(i), "calculator", boost::json::object{}, {}});
    return reply;
}

std::string word_of(tool_choice choice) {
    if (choice == tool_choice::none) return "none";
    return choice == tool_choice::required ? "required" : "auto";
}

// What is done with one reply, as the agent does it.
std::string go_on(turn& of, chat_reply reply) {
    auto const choice = word_of(of.choice()) + ": ";
    auto const action = of.take_reply(reply, {.tool_calls = 3, .rounds = 4});
    if (auto const* run = std::get_if<run_tools>(&action)) {
        of.end_round(*run);
        return choice + "run " + std::to_string(run->run.size()) + ", refuse " +
               std::to_string(run->refused.size());
    }
    if (auto const* missing = std::get_if<call_missing>(&action)) {
        of.end_round();
        return choice + (missing->ask_again ? "insist" : "no call");
    }
    if (std::holds_alternative<words_unsent>(action)) {
        of.end_round();
        return choice + "nudge";
    }
    if (auto const* said = std::get_if<answer>(&action)) return choice + "answer " + said->text;
    return choice + "list results";
}

struct course {
    char const* name;
    turn_settings settings;
    std::vector<chat_reply> replies;
    std::vector<std::string> expected;
};

class turn_table : public testing::TestWithParam<course> {};

TEST_P(turn_table, runs_its_course) {
    turn of(GetParam().settings);
    std::vector<std::string> actions;
    for (auto const& reply : GetParam().replies) actions.push_back(go_on(of, reply));

    EXPECT_THAT(actions, ElementsAreArray(GetParam().expected));
}

constexpr turn_settings free_choice{.rounds = 4};
constexpr turn_settings required{.rounds = 4, .choice = tool_choice::required, .insists = true};
constexpr turn_settings by_tools{.rounds = 4, .speaks_by_tools = true};
constexpr turn_settings nudging{.rounds = 4, .speaks_by_tools = true, .nudges = true};
constexpr turn_settings without_tools{.rounds = 4, .choice = tool_choice::none};

// covers: S0.06
INSTANTIATE_TEST_SUITE_P(
    loop,
    turn_table,
    testing::Values(
        course{"answers_at_once", free_choice, {says("42")}, {"auto: answer 42"}},
        course{
            "answers_after_a_call",
            free_choice,
            {calls(1), says("42")},
            {"auto: run 1, refuse 0", "auto: answer 42"}},
        course{
            "concludes_where_calls_are_used_up",
            free_choice,
            {calls(2), calls(2), says("42")},
            {"auto: run 2, refuse 0", "auto: run 1, refuse 1", "none: answer 42"}},
        course{
            "lists_results_where_the_conclusion_has_no_words",
            free_choice,
            {calls(4), calls(1)},
            {"auto: run 3, refuse 1", "none: list results"}},
        course{
            "is_free_once_a_required_call_was_made",
            required,
            {calls(1), says("42")},
            {"required: run 1, refuse 0", "auto: answer 42"}},
        course{
            "insists_once_on_a_required_call",
            required,
            {says("no"), says("no")},
            {"required: insist", "required: no call"}},
        course{
            "goes_on_after_it_insisted",
            required,
            {says("no"), calls(1), says("42")},
            {"required: insist", "required: run 1, refuse 0", "auto: answer 42"}},
        course{
            "does_not_insist_without_a_round",
            {.rounds = 1, .choice = tool_choice::required, .insists = true},
            {says("no")},
            {"required: no call"}},
        course{
            "does_not_insist_where_nothing_can_be_called",
            {.rounds = 4, .choice = tool_choice::required},
            {says("yes")},
            {"required: answer yes"}},
        course{"ends_without_words_by_tools", by_tools, {says("")}, {"auto: answer "}},
        course{"shows_no_words_by_tools", by_tools, {says("hm")}, {"auto: answer "}},
        course{
            "shows_no_results_by_tools",
            by_tools,
            {calls(4), calls(1)},
            {"auto: run 3, refuse 1", "none: answer "}},
        course{
            "nudges_once_where_nothing_was_sent",
            nudging,
            {says("hm"), says("hm")},
            {"auto: nudge", "auto: answer "}},
        course{"does_not_nudge_who_says_nothing", nudging, {says(" \n")}, {"auto: answer "}},
        course{
            "does_not_nudge_without_a_round",
            {.rounds = 1, .speaks_by_tools = true, .nudges = true},
            {says("hm")},
            {"auto: answer "}},
        course{
            "ignores_calls_that_nobody_asked_for",
            without_tools,
            {calls(1, "42")},
            {"none: answer 42"}}
    ),
    [](auto const& row) { return row.param.name; }
);

TEST(turn, by_rules_is_under_no_limit_of_the_models) {
    turn of(required);
    (void)go_on(of, calls(4));
    ASSERT_TRUE(of.is_concluding());

    EXPECT_FALSE(of.begin_rules()) << "what was called stays";

    EXPECT_TRUE(of.is_by_rules());
    EXPECT_FALSE(of.is_concluding());
    EXPECT_EQ(go_on(of, says("42")), "auto: answer 42");
}

TEST(turn, does_not_nudge_who_has_sent_something) {
    turn of(nudging);
    EXPECT_EQ(go_on(of, calls(1)), "auto: run 1, refuse 0");
    of.note_sent();
    EXPECT_EQ(go_on(of, says("hm")), "auto: answer ");
}

TEST(turn, by_rules_forgets_what_a_model_was_told_to_mend) {
    turn of(required);
    (void)go_on(of, says("no"));

    EXPECT_TRUE(of.begin_rules());
    EXPECT_FALSE(of.begin_rules()) << "once";
    EXPECT_EQ(go_on(of, says("42")), "required: answer 42");
}

} // namespace
} // namespace postrider::agent::turn_test
