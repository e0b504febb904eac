// Lists of days, due dates that are moved, and what is offered where several tasks fit.
#include "agent/todo/list_arguments.hpp"
#include "tests/unit/agent/language/request_text.hpp"
#include "tests/unit/agent/todo/task_shelf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::todo::days_and_shifts_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(rules_turn, shows_the_tasks_of_the_days_that_were_said) {
    task_shelf shelf({"gym", "milk"});
    shelf.hear("set task 1 due friday");
    shelf.hear("set task 2 due 3 December");

    EXPECT_EQ(shelf.hear("tasks for friday"), "#1 gym (due Fri, 27 November 2026)");
    EXPECT_EQ(shelf.hear("what's on next week?"), "#1 gym (due Fri, 27 November 2026)");
    EXPECT_EQ(shelf.hear("what do I have on 3 December?"), "#2 milk (due Thu, 3 December 2026)");
    EXPECT_EQ(shelf.hear("tasks for thursday"), "Nothing is due then.");
    EXPECT_EQ(shelf.hear("what's due tomorrow?"), "Nothing is due tomorrow.");
}

TEST(rules_turn, shows_no_list_of_days_that_it_does_not_understand) {
    task_shelf shelf({"gym", "milk"});
    EXPECT_THAT(
        shelf.hear("what's due on smarch 3?"), HasSubstr("I did not understand when \"smarch 3\"")
    );
    EXPECT_THAT(shelf.hear("tasks for monday and friday"), HasSubstr("\"for monday and friday\""));
}

TEST(rules_turn, moves_a_due_date_from_where_it_is) {
    task_shelf shelf({"gym", "milk"});
    shelf.hear("set task 1 due friday");

    EXPECT_EQ(
        shelf.hear("postpone gym by 2 days"), "Changed task 1 to: gym (due: Sun, 29 November 2026)"
    );
    EXPECT_EQ(
        shelf.hear("move it a week later"), "Changed task 1 to: gym (due: Sun, 6 December 2026)"
    );
    EXPECT_EQ(
        shelf.hear("bring the gym forward by a day"),
        "Changed task 1 to: gym (due: Sat, 5 December 2026)"
    );
    EXPECT_EQ(
        shelf.hear("postpone milk by 2 days"),
        "Changed task 2 to: milk (due: Tue, 24 November 2026)"
    ) << "it had no due date, so from now on";
    EXPECT_EQ(shelf.hear("postpone task 9 by 2 days"), "There is no task 9.");
}

TEST(rules_turn, moves_a_due_date_twice_in_the_order_of_the_words) {
    task_shelf shelf({"gym"});
    shelf.hear("set task 1 due friday");
    EXPECT_EQ(
        shelf.hear("postpone task 1 by 2 days. postpone task 1 by a week."),
        "Changed task 1 to: gym (due: Sun, 29 November 2026)\n"
        "Changed task 1 to: gym (due: Sun, 6 December 2026)"
    );
}

TEST(list_arguments, due_dates_are_moved_by_the_calendar) {
    auto const moved = [](std::string_view due, due_shift shift) {
        return shifted_due(due, shift, language::sunday_morning(), language::berlin());
    };
    EXPECT_EQ(moved("2026-12-24", {0, 48h}), "2026-12-26");
    EXPECT_EQ(moved("2026-12-24", {0, 2h}), "2026-12-24T11:00:00+01:00");
    EXPECT_EQ(moved("2026-12-24T18:00:00+01:00", {0, -24h}), "2026-12-23T18:00:00+01:00");
    EXPECT_EQ(moved("2026-12-24T23:30:00+01:00", {0, 1h}), "2026-12-25T00:30:00+01:00");
    EXPECT_EQ(moved("2026-10-24T09:00:00+02:00", {0, 48h}), "2026-10-26T09:00:00+01:00")
        << "clocks were changed in between";
    EXPECT_EQ(moved("2027-01-31", {1, 0s}), "2027-02-28");
    EXPECT_EQ(moved("", {0, 48h}), "2026-11-24");
    EXPECT_EQ(moved("", {0, 2h}), "2026-11-22T12:00:00+01:00");
}

TEST(rules_turn, offers_no_task_that_is_completed_already) {
    task_shelf shelf({"Buy milk", "Freeze milk", "Drink milk"});
    shelf.hear("complete task 1");
    EXPECT_EQ(
        shelf.hear("milk is done"), "Which one shall I complete?\n#2 Freeze milk\n#3 Drink milk"
    );
    EXPECT_EQ(shelf.hear("the second one"), "Completed task: Drink milk");
    EXPECT_EQ(shelf.hear("milk is done"), "Completed task: Freeze milk");
    shelf.calls.clear();
    EXPECT_THAT(shelf.hear("milk is done"), HasSubstr("no task that is called \"milk\""));
    EXPECT_THAT(shelf.calls, IsEmpty());
    EXPECT_EQ(shelf.hear("buy milk is done"), "Completed task: Buy milk")
        << "beyond doubt, and nothing is changed by it";
}

TEST(rules_turn, changes_the_priority_of_an_open_task_before_a_completed_one) {
    task_shelf shelf({"Buy milk", "Freeze milk"});
    shelf.hear("complete task 1");
    shelf.calls.clear();
    shelf.hear("set the milk to high priority");
    EXPECT_THAT(shelf.calls, ElementsAre("update_todo_task 2"));
}

TEST(rules_turn, creates_nothing_where_there_is_no_task_to_change) {
    task_shelf shelf({"gym"});
    EXPECT_THAT(shelf.hear("make the report high priority"), HasSubstr("\"report\""));
    EXPECT_THAT(shelf.hear("postpone the report by a week"), HasSubstr("\"report\""));
    EXPECT_THAT(shelf.calls, IsEmpty());
    EXPECT_EQ(shelf.tasks(), "1 gym");
}

} // namespace
} // namespace postrider::agent::todo::days_and_shifts_test
