// What /usage says.
#include "agent/flow/run/usage_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::usage_text_test {
namespace {

using testing::HasSubstr;
using testing::Not;

storage::own_usage used_today() {
    storage::own_usage usage;
    usage.calls = 2;
    usage.tokens_in = 300;
    usage.tokens_out = 30;
    usage.opens = "2026-11-24 00:00 UTC";
    return usage;
}

// covers: X.04
TEST(usage_text, has_the_calls_of_today) {
    EXPECT_EQ(
        usage_text(used_today()),
        "Today you have used here 2 model calls with 330 tokens (300 read, 30 written)."
    );
}

TEST(usage_text, has_the_cost_where_there_are_prices) {
    auto usage = used_today();
    usage.cost_micro = 12'345;

    EXPECT_THAT(usage_text(usage), HasSubstr(", 1.23 US cents."));
}

TEST(usage_text, of_nothing_says_so) {
    EXPECT_EQ(usage_text({}), "Today you have used no model here.");
}

TEST(usage_text, has_what_is_left_of_the_own_budgets_and_when_they_open) {
    auto usage = used_today();
    usage.budgets = {
        {{"user", "7", {10, 1000, 50'000}}, {2, 330, 25'000}},
        {{"chat", "7", {5, 0, 0}}, {5, 330, 0}},
    };

    auto const text = usage_text(usage);

    EXPECT_THAT(
        text,
        HasSubstr("\nLeft of your budget until 2026-11-24 00:00 UTC: 8 of 10 model calls, "
                  "670 of 1000 tokens, 2.50 of 5.00 US cents.")
    );
    EXPECT_THAT(
        text,
        HasSubstr("\nUsed up: the budget of this chat. It opens again at 2026-11-24 00:00 UTC.")
    );
}

// What is left of it tells what others used.
TEST(usage_text, names_a_shared_budget_only_where_it_is_used_up) {
    auto usage = used_today();
    usage.budgets = {{{"total", "", {100, 0, 0}}, {99, 0, 0}}};
    EXPECT_THAT(usage_text(usage), Not(HasSubstr("everybody")));

    usage.budgets.front().used.calls = 100;
    EXPECT_THAT(usage_text(usage), HasSubstr("Used up: the budget of everybody together."));
}

} // namespace
} // namespace postrider::agent::usage_text_test
