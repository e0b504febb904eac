#include "tests/unit/server/start/config_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::server::budget_settings_test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(budget_settings, are_by_scope_and_in_millionths_of_a_dollar) {
    auto const loaded = from_file(R"(
[models.default]
provider = "anthropic"
api_key = "k"
input_price = 100
output_price = 500
[budgets]
total_cost_per_day = 250
user_tokens_per_day = 1000
user_calls_per_day = 3
timezone = "Europe/Berlin"
messages_per_minute = 20
)");

    ASSERT_THAT(loaded.problems, IsEmpty());
    auto const& budgets = loaded.values.budgets;
    ASSERT_EQ(budgets.size(), 2u) << "a scope without a limit has no budget";
    EXPECT_EQ(budgets.at("total").cost_micro, 2'500'000);
    EXPECT_EQ(budgets.at("user").tokens, 1000);
    EXPECT_EQ(budgets.at("user").calls, 3);
    EXPECT_EQ(budgets.at("user").cost_micro, 0);
    EXPECT_EQ(loaded.values.timezone, "Europe/Berlin");
    EXPECT_EQ(loaded.values.messages_per_minute, 20);
}

TEST(budget_settings, nothing_said_is_no_budget) {
    auto const loaded = from_file("");

    EXPECT_THAT(loaded.values.budgets, IsEmpty());
    EXPECT_EQ(loaded.values.timezone, "UTC");
    EXPECT_EQ(loaded.values.messages_per_minute, 0);
}

TEST(budget_settings, tell_mistakes) {
    EXPECT_THAT(
        from_file("[budgets]\ntimezone = \"Europe/Berln\"").problems,
        Contains(HasSubstr("budgets.timezone: "))
    );
    EXPECT_THAT(
        from_file("[budgets]\nuser_calls_per_day = -1").problems,
        Contains(HasSubstr("budgets.user_calls_per_day"))
    );
    EXPECT_THAT(
        from_file("[budgets]\nuser_call_per_day = 1").problems,
        Contains(HasSubstr("did you mean budgets.user_calls_per_day"))
    );
    EXPECT_THAT(
        from_file(
            "[budgets]\nchat_cost_per_day = 5",
            {{"ANTHROPIC_API_KEY", "k"}, {"ANTHROPIC_MODEL", "nobody-lists-it"}}
        ).problems,
        Contains(HasSubstr("budgets.chat_cost_per_day: [models.default] has no price"))
    );
}

TEST(budget_settings, take_the_vendors_list_prices) {
    EXPECT_THAT(
        from_file("[budgets]\nchat_cost_per_day = 5", {{"ANTHROPIC_API_KEY", "k"}}).problems,
        IsEmpty()
    );
}

} // namespace
} // namespace postrider::server::budget_settings_test
