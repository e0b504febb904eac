// What people say of times that recur, as cron expressions.
#include "agent/reminders/recurrence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::recurrence_test {
namespace {

using testing::HasSubstr;

struct said {
    std::string_view words;
    std::string_view cron;
};

class recurrence_words : public testing::TestWithParam<said> {};

// covers: X.03
TEST_P(recurrence_words, are_an_expression) {
    auto const read = read_recurrence(GetParam().words);

    ASSERT_TRUE(read) << read.error().detail;
    EXPECT_EQ(*read, GetParam().cron);
}

INSTANTIATE_TEST_SUITE_P(
    english,
    recurrence_words,
    testing::Values(
        said{"every weekday at 9", "0 9 * * 1,2,3,4,5"},
        said{"Every day at 18:30", "30 18 * * *"},
        said{"daily", "0 9 * * *"},
        said{"every monday and thursday at 6pm", "0 18 * * 1,4"},
        said{"mondays, wednesdays at 7:15 am", "15 7 * * 1,3"},
        said{"weekly on friday at noon", "0 12 * * 5"},
        said{"every weekend at 10", "0 10 * * 0,6"},
        said{"every day at 8 and 20", "0 8,20 * * *"},
        said{"every month on the 1st at 10", "0 10 1 * *"},
        said{"monthly on the last day at 17:00", "0 17 L * *"},
        said{"every year on 24 december at 8", "0 8 24 12 *"},
        said{"every december 24 at 8", "0 8 24 12 *"},
        said{"every 2 hours", "0 */2 * * *"},
        said{"hourly", "0 */1 * * *"},
        said{"every 30 minutes", "*/30 * * * *"},
        said{"every monday at 12 am", "0 0 * * 1"}
    )
);

INSTANTIATE_TEST_SUITE_P(
    expressions,
    recurrence_words,
    testing::Values(
        said{"0 9 * * mon-fri", "0 9 * * mon-fri"},
        said{"@daily", "@daily"},
        said{"*/10 * * * *", "*/10 * * * *"}
    )
);

TEST(recurrence, that_is_not_understood_says_what_to_write) {
    for (auto const* words :
         {"",
          "now and then",
          "every 7 hours",
          "every 5 days",
          "weekly",
          "every week at 9",
          "every 2nd day at 9",
          "every 2nd week at 9",
          "every 3rd month",
          "at 9 every 2 days",
          "at 9 every 3 months",
          "every day at 25",
          "every day at 9 and 9:30",
          "every year",
          "every month on the 40th",
          "every monday on the 3rd",
          "tomorrow at 9"}) {
        auto const read = read_recurrence(words);
        ASSERT_FALSE(read) << words << ": " << *read;
        EXPECT_EQ(read.error(), base::errc::invalid) << words;
        EXPECT_THAT(read.error().detail, HasSubstr("every weekday at 9")) << words;
    }
}

TEST(recurrence, of_a_wrong_expression_names_the_mistake) {
    auto const read = read_recurrence("0 25 * * *");

    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().detail, HasSubstr("hour"));
}

TEST(recurrence, is_bounded_in_how_often_it_comes) {
    for (auto const* words :
         {"* * * * *", "every 5 minutes", "0,5 9 * * *", "*/20 * * * * *", "59,0 * * * *"}) {
        auto const read = read_recurrence(words);
        ASSERT_FALSE(read) << words;
        EXPECT_THAT(read.error().detail, HasSubstr("too often")) << words;
    }
}

} // namespace
} // namespace postrider::agent::recurrence_test
