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
        usage_text(used_today(), "en"),
        "Today you have used here 2 model calls with 330 tokens (300 read, 30 written)."
    );
}

TEST(usage_text, has_the_cost_where_there_are_prices) {
    auto usage = used_today();
    usage.cost_micro = 12'345;

    EXPECT_THAT(usage_text(usage, "en"), HasSubstr(", 1.23 US cents."));
}

TEST(usage_text, of_nothing_says_so) {
    EXPECT_EQ(usage_text({}, "en"), "Today you have used no model here.");
}

TEST(usage_text, says_that_a_call_counts_once_it_has_ended) {
    storage::own_usage first;
    first.running = 1;
    EXPECT_EQ(
        usage_text(first, "en"),
        "Today no model has answered you here yet. What is being answered now counts once the "
        "model has answered."
    );
    auto usage = used_today();
    usage.running = 1;
    EXPECT_THAT(
        usage_text(usage, "en"), HasSubstr("30 written). What is being answered now counts once")
    );
}

TEST(usage_text, has_what_is_left_of_the_own_budgets_and_when_they_open) {
    auto usage = used_today();
    usage.budgets = {
        {{"user", "7", {10, 1000, 50'000}}, {2, 330, 25'000}},
        {{"chat", "7", {5, 0, 0}}, {5, 330, 0}},
    };

    auto const text = usage_text(usage, "en");

    EXPECT_THAT(
        text,
        HasSubstr("\nLeft of your budget until Tue, 24 November 2026, 00:00 UTC: "
                  "8 of 10 model calls, 670 of 1000 tokens, 2.50 of 5.00 US cents.")
    );
    EXPECT_THAT(
        text,
        HasSubstr("\nUsed up: the budget of this chat. It opens again at "
                  "Tue, 24 November 2026, 00:00 UTC.")
    );
}

// What is left of it tells what others used.
TEST(usage_text, names_a_shared_budget_only_where_it_is_used_up) {
    auto usage = used_today();
    usage.budgets = {{{"total", "", {100, 0, 0}}, {99, 0, 0}}};
    EXPECT_THAT(usage_text(usage, "en"), Not(HasSubstr("everybody")));

    usage.budgets.front().used.calls = 100;
    EXPECT_THAT(usage_text(usage, "en"), HasSubstr("Used up: the budget of everybody together."));
}

storage::own_usage used_by(std::int64_t calls) {
    auto usage = used_today();
    usage.calls = calls;
    usage.cost_micro = 12'345;
    usage.budgets = {
        {{"user", "7", {10, 0, 50'000}}, {2, 0, 25'000}}, {{"chat", "7", {5, 0, 0}}, {5, 330, 0}}};
    return usage;
}

// covers: X.04
TEST(usage_text, is_in_the_language_of_the_person) {
    EXPECT_EQ(
        usage_text(used_by(1), "de"),
        "Heute hast du hier 1 Modellaufruf mit 330 Token verbraucht (300 gelesen, 30 geschrieben), "
        "1,23 US-Cent.\n"
        "Noch frei (dein Budget) bis Di., 24. November 2026, 00:00 Uhr UTC: 8 / 10 Modellaufrufe, "
        "2,50 / 5,00 US-Cent.\n"
        "Aufgebraucht: das Budget dieses Chats. Es öffnet wieder: Di., 24. November 2026, "
        "00:00 Uhr UTC."
    );
    EXPECT_EQ(usage_text({}, "fr"), "Aujourd'hui, tu n'as utilisé aucun modèle ici.");
    EXPECT_THAT(usage_text(used_by(3), "ur"), HasSubstr("ماڈل کی 3 کالیں، 330 ٹوکن"));
}

TEST(usage_text, has_nouns_in_the_form_of_their_number) {
    auto const told = [](std::int64_t calls) { return usage_text(used_by(calls), "ru"); };
    EXPECT_THAT(told(1), HasSubstr("сегодня: 1 вызов модели, 330 токенов"));
    EXPECT_THAT(told(2), HasSubstr(" 2 вызова модели,"));
    EXPECT_THAT(told(5), HasSubstr(" 5 вызовов модели,"));
    EXPECT_THAT(told(11), HasSubstr(" 11 вызовов модели,"));
    EXPECT_THAT(told(21), HasSubstr(" 21 вызов модели,"));
    EXPECT_THAT(told(103), HasSubstr(" 103 вызова модели,"));
    EXPECT_THAT(told(112), HasSubstr(" 112 вызовов модели,"));
    EXPECT_THAT(usage_text(used_by(2), "es"), HasSubstr(" 2 llamadas al modelo "));
}

} // namespace
} // namespace postrider::agent::usage_text_test
