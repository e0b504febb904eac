#include "queue/schedule_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::queue::schedule_plan_test {
namespace {

using namespace std::chrono_literals;
using base::sys_time;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

sys_time at(std::string_view text) {
    return base::from_iso8601(text).value();
}

plan_question cron_question(std::string expression, std::string_view now) {
    plan_question asked;
    asked.recurrence.cron = std::move(expression);
    asked.now = at(now);
    return asked;
}

schedule_plan plan(plan_question const& asked) {
    return plan_schedule(asked).value();
}

TEST(schedule_plan, a_new_schedule_waits_for_its_first_time) {
    auto asked = cron_question("0 9 * * *", "2026-11-21T12:00:00Z");

    auto const decided = plan(asked);

    EXPECT_THAT(decided.runs, IsEmpty());
    EXPECT_EQ(decided.next, at("2026-11-22T09:00:00Z"));
}

TEST(schedule_plan, a_due_time_runs_and_the_next_is_known) {
    auto asked = cron_question("0 9 * * *", "2026-11-21T09:00:00.002Z");
    asked.next_at = at("2026-11-21T09:00:00Z");

    auto const decided = plan(asked);

    EXPECT_THAT(decided.runs, ElementsAre(at("2026-11-21T09:00:00Z")));
    EXPECT_EQ(decided.next, at("2026-11-22T09:00:00Z"));
    EXPECT_FALSE(decided.missed);
}

// covers: E.13
TEST(schedule_plan, goes_by_the_zones_wall_clock_through_a_change) {
    auto asked = cron_question("30 2 * * *", "2026-03-28T01:30:00Z");
    asked.recurrence.timezone = "Europe/Berlin";
    asked.next_at = at("2026-03-28T01:30:00Z");

    auto const before = plan(asked);
    asked.now = before.next.value();
    asked.next_at = before.next;
    auto const after = plan(asked);

    EXPECT_EQ(before.next, at("2026-03-29T01:00:00Z")); // 02:30 is skipped: at 03:00
    EXPECT_THAT(after.runs, ElementsAre(at("2026-03-29T01:00:00Z")));
    EXPECT_EQ(after.next, at("2026-03-30T00:30:00Z"));
}

TEST(schedule_plan, times_that_passed_within_a_minute_are_not_missed) {
    auto asked = cron_question("*/20 * * * * *", "2026-11-21T12:00:59Z");
    asked.next_at = at("2026-11-21T12:00:00Z");
    asked.missed = missed_policy::skip;

    auto const decided = plan(asked);

    EXPECT_THAT(decided.runs, SizeIs(3));
    EXPECT_FALSE(decided.missed);
    EXPECT_EQ(decided.next, at("2026-11-21T12:01:00Z"));
}

// covers: E.13
TEST(schedule_plan, the_policy_decides_what_becomes_of_missed_times) {
    auto asked = cron_question("0 * * * *", "2026-11-21T12:30:00Z");
    asked.next_at = at("2026-11-21T10:00:00Z");

    asked.missed = missed_policy::skip;
    auto const skipped = plan(asked);
    asked.missed = missed_policy::once;
    auto const once = plan(asked);
    asked.missed = missed_policy::all;
    auto const all = plan(asked);

    EXPECT_THAT(skipped.runs, IsEmpty());
    EXPECT_THAT(once.runs, ElementsAre(at("2026-11-21T10:00:00Z")));
    EXPECT_THAT(
        all.runs,
        ElementsAre(
            at("2026-11-21T10:00:00Z"), at("2026-11-21T11:00:00Z"), at("2026-11-21T12:00:00Z")
        )
    );
    for (auto const& decided : {skipped, once, all}) {
        EXPECT_TRUE(decided.missed);
        EXPECT_EQ(decided.next, at("2026-11-21T13:00:00Z"));
    }
}

TEST(schedule_plan, skipping_still_runs_the_time_that_has_just_come) {
    auto asked = cron_question("0 * * * *", "2026-11-21T12:00:30Z");
    asked.next_at = at("2026-11-21T10:00:00Z");
    asked.missed = missed_policy::skip;

    EXPECT_THAT(plan(asked).runs, ElementsAre(at("2026-11-21T12:00:00Z")));
}

TEST(schedule_plan, all_that_was_missed_is_bounded) {
    auto asked = cron_question("* * * * * *", "2026-11-21T12:00:00Z");
    asked.next_at = at("2020-01-01T00:00:00Z");
    asked.missed = missed_policy::all;

    auto const decided = plan(asked);

    EXPECT_THAT(decided.runs, SizeIs(most_runs));
    EXPECT_EQ(decided.runs.front(), at("2020-01-01T00:00:00Z"));
    EXPECT_EQ(decided.next, at("2026-11-21T12:00:01Z"));
}

TEST(schedule_plan, a_clock_that_went_back_repeats_no_time) {
    auto asked = cron_question("0 * * * *", "2026-11-21T10:30:00Z");
    asked.last_at = at("2026-11-21T12:00:00Z");

    EXPECT_EQ(plan(asked).next, at("2026-11-21T13:00:00Z"));
}

TEST(schedule_plan, a_one_shot_runs_once) {
    plan_question asked;
    asked.recurrence.at = at("2026-11-21T12:00:00Z");
    asked.now = at("2026-11-21T11:00:00Z");

    auto const early = plan(asked);
    asked.now = at("2026-11-21T12:00:00Z");
    asked.next_at = early.next;
    auto const due = plan(asked);
    asked.next_at.reset();
    asked.last_at = due.runs.at(0);
    auto const again = plan(asked);

    EXPECT_EQ(early.next, asked.recurrence.at);
    EXPECT_THAT(due.runs, ElementsAre(*asked.recurrence.at));
    EXPECT_EQ(due.next, std::nullopt);
    EXPECT_THAT(again.runs, IsEmpty());
    EXPECT_EQ(again.next, std::nullopt);
}

TEST(schedule_plan, a_one_shot_whose_time_has_passed_is_a_missed_one) {
    plan_question asked;
    asked.recurrence.at = at("2026-11-20T12:00:00Z");
    asked.now = at("2026-11-21T12:00:00Z");

    asked.missed = missed_policy::once;
    EXPECT_THAT(plan(asked).runs, ElementsAre(*asked.recurrence.at));
    asked.missed = missed_policy::skip;
    EXPECT_THAT(plan(asked).runs, IsEmpty());
    EXPECT_EQ(plan(asked).next, std::nullopt);
}

TEST(schedule_plan, what_is_wrong_comes_back) {
    auto asked = cron_question("61 * * * *", "2026-11-21T12:00:00Z");
    EXPECT_EQ(plan_schedule(asked).error(), base::errc::invalid);
    asked.recurrence = {"* * * * *", std::nullopt, "Mars"};
    EXPECT_EQ(plan_schedule(asked).error(), base::errc::not_found);
}

TEST(schedule_plan, next_times_are_previewed) {
    recurrence mondays;
    mondays.cron = "0 9 * * mon";
    mondays.timezone = "America/New_York";

    EXPECT_THAT(
        next_times(mondays, at("2026-11-21T12:00:00Z"), 2).value(),
        ElementsAre(at("2026-11-23T14:00:00Z"), at("2026-11-30T14:00:00Z"))
    );
}

} // namespace
} // namespace postrider::queue::schedule_plan_test
