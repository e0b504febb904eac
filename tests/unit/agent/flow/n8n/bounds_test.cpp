// Converting an expression of n8n's ends soon, whatever the expression.
#include "tests/unit/agent/flow/n8n/sample_pairs.hpp"

namespace postrider::agent::flow::n8n::bounds_test {
namespace {

TEST(n8n_expression, ends_whatever_the_nesting) {
    for (std::string_view open : {"(", "[", "!", "{a:", "a?", "x=>", "`${", "-", "f(", "a||"}) {
        std::string text;
        for (int i = 0; i < 5000; ++i) text += open;
        EXPECT_FALSE(converted(text)) << open;
    }
    std::string chain = "$json";
    for (int i = 0; i < 5000; ++i) chain += ".a";
    EXPECT_FALSE(converted(chain));
    std::string constants = "(() => { const a = 1";
    for (int i = 0; i < 5000; ++i) constants += ", a = 1";
    EXPECT_FALSE(converted(constants + "; return a })()"));
}

// Both sides of a && are looked at once, whatever stands around them.
TEST(n8n_expression, takes_time_by_its_length) {
    std::string text = "true";
    for (int i = 0; i < 25; ++i) text = "(" + text + " && true) == true";
    EXPECT_EQ(evaluated(text, json_scope("{}")), "true");
}

TEST(n8n_expression, takes_a_bounded_number_of_steps) {
    std::string list = "[1";
    for (int i = 0; i < 25'000; ++i) list += ",1";
    EXPECT_EQ(converted(list + "]").error().reason, "it takes too long to convert");
    conversion_budget few(6);
    EXPECT_TRUE(convert("1 + 2", plain_surroundings(), few));
    EXPECT_EQ(
        convert("1 + 2 + 3", plain_surroundings(), few).error().reason,
        "the workflow's expressions take too long to convert"
    );
    EXPECT_FALSE(convert("1", plain_surroundings(), few)) << "nothing is left";
}

} // namespace
} // namespace postrider::agent::flow::n8n::bounds_test
