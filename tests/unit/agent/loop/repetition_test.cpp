#include "agent/loop/repetition.hpp"
#include "base/json/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::repetition_test {
namespace {

using testing::HasSubstr;

// "look(1)=a" for each call: tool, arguments and result; "!" behind it is an error. A '|' begins
// the next answer of the model.
std::vector<tool_result> calls_of(std::string_view text) {
    std::vector<tool_result> calls;
    int round = 1;
    while (!text.empty()) {
        auto const end = std::min(text.find(' '), text.size());
        auto const word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (word == "|") {
            ++round;
            continue;
        }
        auto const open = word.find('(');
        auto const close = word.find(')');
        tool_result call;
        call.tool = word.substr(0, open);
        call.arguments = base::parse_json(word.substr(open + 1, close - open - 1)).value();
        call.text = word.substr(close + 2);
        call.is_error = call.text.ends_with('!');
        call.round = round;
        calls.push_back(std::move(call));
    }
    return calls;
}

std::string found_in(std::string_view text) {
    auto const found = find_repetition(calls_of(text), 2);
    return found ? std::string(to_string(found->kind)) + ' ' + found->tool : "goes on";
}

struct turn_calls {
    char const* name;
    char const* calls;
    char const* expected;
};

class repetition_table : public testing::TestWithParam<turn_calls> {};

TEST_P(repetition_table, finds) {
    EXPECT_EQ(found_in(GetParam().calls), GetParam().expected);
}

// covers: X.05
INSTANTIATE_TEST_SUITE_P(
    loop,
    repetition_table,
    testing::Values(
        turn_calls{"nothing", "", "goes on"},
        turn_calls{"once", "look(1)=a", "goes on"},
        turn_calls{"same_call", "look(1)=a | look(1)=a", "same_call look"},
        turn_calls{
            "same_members_in_another_order",
            R"(look({"a":1,"b":2})=a | look({"b":2,"a":1})=a)",
            "same_call look"},
        turn_calls{"other_arguments", "look(1)=a | look(2)=a", "goes on"},
        turn_calls{"other_tool", "look(1)=a | read(1)=a", "goes on"},
        turn_calls{"other_result", "look(1)=a | look(1)=b", "goes on"},
        turn_calls{"a_failure_and_the_same_words", "look(1)=a! | look(1)=a", "goes on"},
        turn_calls{
            "same_call_whatever_it_returns",
            "look(1)=a | look(1)=b | look(1)=c | look(1)=d",
            "same_call look"},
        turn_calls{"same_call_behind_work", "look(2)=b | look(1)=a | look(1)=a", "same_call look"},
        turn_calls{"same_call_before_work", "look(1)=a | look(1)=a | look(2)=b", "goes on"},
        turn_calls{"twice_in_one_answer", "look(1)=a look(1)=a", "goes on"},
        turn_calls{"ping_pong", "look(1)=a | read(1)=b | look(1)=a | read(1)=b", "ping_pong read"},
        turn_calls{
            "ping_pong_in_pairs", "look(1)=a read(1)=b | look(1)=a read(1)=b", "ping_pong read"},
        turn_calls{"ping_pong_too_short", "look(1)=a | read(1)=b | look(1)=a", "goes on"},
        turn_calls{
            "ping_pong_with_news", "look(1)=a | read(1)=b | look(1)=c | read(1)=b", "goes on"},
        turn_calls{
            "three_in_a_circle",
            "a(1)=x | b(1)=x | c(1)=x | a(1)=x | b(1)=x | c(1)=x | b(1)=x",
            "no_progress b"},
        turn_calls{
            "three_in_a_circle_too_short",
            "a(1)=x | b(1)=x | c(1)=x | a(1)=x | b(1)=x | c(1)=x",
            "goes on"},
        turn_calls{
            "one_failure_for_all_arguments",
            "a(1)=no! | a(2)=no! | a(3)=no! | a(4)=no! | a(5)=no!",
            "no_progress a"},
        turn_calls{
            "one_result_of_many_acts",
            "post(1)=ok | post(2)=ok | post(3)=ok | post(4)=ok | post(5)=ok",
            "goes on"}
    ),
    [](auto const& of) { return of.param.name; }
);

TEST(repetition, says_what_it_was_and_comes_back_from_the_record) {
    for (auto kind :
         {repetition_kind::same_call, repetition_kind::ping_pong, repetition_kind::no_progress}) {
        repetition const found{kind, "look"};

        EXPECT_EQ(repetition_from_json(to_json(found)), found);
        EXPECT_THAT(
            repetition_note(found, language::notices_in("en")), HasSubstr("I stopped here")
        );
        EXPECT_THAT(stopped_by(found).detail, HasSubstr(std::string(to_string(kind))));
    }
}

} // namespace
} // namespace postrider::agent::repetition_test
