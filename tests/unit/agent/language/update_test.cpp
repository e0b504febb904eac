// Other due dates and priorities of tasks that there are.
#include "tests/unit/agent/language/request_text.hpp"
#include "tests/unit/agent/todo/task_shelf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::language::update_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

struct row {
    std::string_view says;
    std::string_view means;
};

class understanding_updates : public testing::TestWithParam<row> {};

TEST_P(understanding_updates, follows_the_table) {
    EXPECT_EQ(understood(GetParam().says), GetParam().means) << GetParam().says;
}

constexpr row dues[] = {
    {"set task 3 due tomorrow", "update(#3 @2026-11-23)"},
    {"set task 3 due on friday at 9", "update(#3 @2026-11-27T09:00:00+01:00)"},
    {"set the milk due in 2 hours", "update('milk' @2026-11-22T12:00:00+01:00)"},
    {"postpone task 3 to friday", "update(#3 @2026-11-27)"},
    {"can you postpone it until tomorrow?", "update(that @2026-11-23)"},
    {"move the milk to monday at 9", "update('milk' @2026-11-23T09:00:00+01:00)"},
    {"move tasks 2 and 3 to friday", "update(#2 @2026-11-27) update(#3 @2026-11-27)"},
    {"move task 3 to friday and complete 2", "update(#3 @2026-11-27) complete(#2)"},
    {"change the due date of task 3 to friday", "update(#3 @2026-11-27)"},
    {"task 5 is due tomorrow", "update(#5 @2026-11-23)"},
    {"task 5 is due tomorrow?", "unknown()"},
    {"which tasks are due tomorrow", "list(tomorrow)"},
    {"move task 3 to yesterday", "update(#3 passed)"},
};

constexpr row priorities[] = {
    {"set task 5 to high priority", "update(#5 !high)"},
    {"change task 5 to high priority", "update(#5 !high)"},
    {"set the milk to low priority", "update('milk' !low)"},
    {"change the priority of task 3 to medium", "update(#3 !medium)"},
    {"make task 3 urgent", "update(#3 !high)"},
    {"mark the milk as important", "update('milk' !high)"},
    {"change the milk to oat milk, high priority", "update('milk' to oat milk !high)"},
    {"set task 5 to done", "complete(#5)"},
    {"mark task 5 done", "complete(#5)"},
};

// No new tasks.
constexpr row impossible[] = {
    {"set task 2 due 29.02.2027", "unknown()"},
    {"set task 5 to blue", "unknown()"},
    {"put task 5 on hold", "unknown()"},
    {"make task 5 due 2027-02-30", "unknown()"},
    {"postpone task 3", "unknown()"},
    {"postpone task 3 by 2 days", "unknown()"},
    {"don't move task 3 to friday", "unknown()"},
    {"/NEW", "unknown()"},
};

constexpr row creations[] = {
    {"set a task to call mom", "create(call mom)"},
    {"set task: buy milk", "create(buy milk)"},
    {"make dinner high priority", "create(dinner !high)"},
    {"make cake due tomorrow", "create(cake @2026-11-23)"},
    {"remind me to move the car tomorrow", "create(move the car @2026-11-23)"},
    {"/add milk", "create(milk)"},
};

INSTANTIATE_TEST_SUITE_P(dues, understanding_updates, testing::ValuesIn(dues));
INSTANTIATE_TEST_SUITE_P(priorities, understanding_updates, testing::ValuesIn(priorities));
INSTANTIATE_TEST_SUITE_P(impossible, understanding_updates, testing::ValuesIn(impossible));
INSTANTIATE_TEST_SUITE_P(creations, understanding_updates, testing::ValuesIn(creations));

TEST(rules_turn, changes_what_a_task_is_not_called_by) {
    todo::task_shelf shelf({"buy milk", "buy bread"});
    EXPECT_EQ(
        shelf.hear("set task 1 due tomorrow"),
        "Changed task 1 to: buy milk (due: Mon, 23 November 2026)"
    );
    EXPECT_EQ(
        shelf.hear("set the bread to high priority"),
        "Changed task 2 to: buy bread (priority: high)"
    );
    EXPECT_THAT(shelf.calls, ElementsAre("update_todo_task 1", "update_todo_task 2"));
    EXPECT_EQ(shelf.tasks(), "1 buy milk, 2 buy bread");
}

TEST(rules_turn, changes_a_task_twice_in_the_order_of_the_words) {
    todo::task_shelf shelf({"buy milk"});
    EXPECT_EQ(
        shelf.hear("rename 1 to buy tea. move it to friday. move task 1 to monday."),
        "Renamed task 1 to: buy tea\n"
        "Changed task 1 to: buy tea (due: Fri, 27 November 2026)\n"
        "Changed task 1 to: buy tea (due: Mon, 23 November 2026)"
    );
    EXPECT_EQ(shelf.tasks(), "1 buy tea");
}

// covers: S2.07
TEST(rules_turn, changes_nothing_without_a_yes) {
    todo::task_shelf shelf({"buy milk"});
    shelf.consents = false;
    EXPECT_EQ(shelf.hear("move task 1 to friday"), "Task 1 is unchanged.");
    EXPECT_EQ(shelf.hear("move task 1 to friday, yes I'm sure"), "Task 1 is unchanged.")
        << "a yes in the message itself is to a title alone";
}

TEST(rules_turn, changes_no_task_that_it_does_not_find) {
    todo::task_shelf shelf({"buy milk", "buy bread"});
    EXPECT_EQ(
        shelf.hear("move the buy task to friday"),
        "Which one shall I change?\n#1 buy milk\n#2 buy bread"
    );
    EXPECT_THAT(shelf.calls, IsEmpty());
    EXPECT_EQ(
        shelf.hear("the second one"), "Changed task 2 to: buy bread (due: Fri, 27 November 2026)"
    );
    EXPECT_EQ(shelf.hear("set task 9 to high priority"), "There is no task 9.");
    EXPECT_EQ(
        shelf.hear("move task 1 to yesterday"),
        "The time that you said has passed, so task 1 is unchanged."
    );
    EXPECT_THAT(shelf.hear("set task 2 due 29.02.2027"), StartsWith("I did not understand that."));
    EXPECT_EQ(shelf.tasks(), "1 buy milk, 2 buy bread");
}

} // namespace
} // namespace postrider::agent::language::update_test
