#include "agent/todo/phrase.hpp"
#include "tests/unit/agent/todo/request_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::todo {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

task const milk{task_id{3}, "Buy milk"};

TEST(phrase, receipts_are_the_decision_tables) {
    EXPECT_EQ(phrase::created(milk, berlin()), "Created task: Buy milk");
    EXPECT_EQ(phrase::completed(milk), "Completed task: Buy milk");
    EXPECT_EQ(phrase::renamed(milk), "Renamed task 3 to: Buy milk");
    EXPECT_EQ(phrase::deleted(milk), "Deleted task: Buy milk");
}

TEST(phrase, questions_are_the_decision_tables) {
    EXPECT_THAT(
        phrase::confirm_delete(milk), StartsWith("Are you sure you want to delete task 3? (yes/no)")
    );
    EXPECT_THAT(
        phrase::confirm_rename(milk, "Buy oat milk"),
        StartsWith("Are you sure you want to rename task 3? (yes/no)")
    );
    EXPECT_THAT(phrase::confirm_rename(milk, "Buy oat milk"), HasSubstr("Buy milk → Buy oat milk"));
}

TEST(phrase, a_due_date_is_told_in_the_persons_zone) {
    auto due = milk;
    due.due = due_time{*base::from_iso8601("2026-12-24T08:00:00Z"), false};

    EXPECT_EQ(
        phrase::created(due, berlin()),
        "Created task: Buy milk\nDue Thursday 24 December 2026 at 09:00."
    );
    due.due->whole_day = true;
    EXPECT_EQ(
        phrase::created(due, berlin()), "Created task: Buy milk\nDue Thursday 24 December 2026."
    );
}

TEST(phrase, lists_tell_ids_and_states) {
    auto done = milk;
    done.done = true;
    std::vector<task> const tasks{{task_id{1}, "Rent", false, priority::high}, done};

    EXPECT_EQ(
        phrase::list(tasks, {}, berlin()), "Your tasks:\n1. Rent (high priority)\n3. Buy milk ✓"
    );
    EXPECT_EQ(
        phrase::list({}, {.filter = list_filter::overdue}, berlin()), "Your overdue tasks: none."
    );
    std::vector<task> const many(60, milk);
    EXPECT_THAT(phrase::list(many, {}, berlin()), HasSubstr("and 10 more"));
}

TEST(phrase, asks_which_and_explains_failures) {
    EXPECT_EQ(
        phrase::ask_which(std::vector{milk, task{task_id{4}, "Oat milk"}}),
        "Which task do you mean? Say its number.\n3. Buy milk\n4. Oat milk"
    );
    EXPECT_EQ(
        phrase::not_found({no_task::reason::unknown_id}, {task_reference::kind::id, 9}),
        "There is no task 9."
    );
    EXPECT_EQ(
        phrase::tool_failed("the title is too long"), "That did not work: the title is too long"
    );
    EXPECT_THAT(phrase::unknown(false), HasSubstr("remind me to"));
}

// Every example that the agent gives is understood.
TEST(phrase, examples_work) {
    auto text = phrase::help();
    std::size_t examples = 0;
    for (auto at = text.find("• "); at != text.npos; at = text.find("• ", at + 1)) {
        auto const begin = at + std::string_view("• ").size();
        auto const example = text.substr(begin, text.find('\n', begin) - begin);
        EXPECT_NE(understood(example), "unknown()") << example;
        ++examples;
    }
    EXPECT_EQ(examples, 7u);
}

} // namespace
} // namespace postrider::agent::todo
