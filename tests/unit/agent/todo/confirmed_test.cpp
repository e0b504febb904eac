// What a message has confirmed already, by the person's own words.
#include "agent/todo/confirmed.hpp"
#include "agent/todo/task_definitions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace postrider::agent::todo::confirmed_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<task> const tasks{{task_id{1}, "buy milk"}, {task_id{2}, "buy bread"}};

std::vector<confirmed_call> confirmed(std::string_view message) {
    return confirmed_by(message, {tasks, {}, std::nullopt});
}

// covers: S2.07
TEST(confirmed, is_what_the_same_message_says_yes_to) {
    EXPECT_TRUE(confirms("delete task 1, yes I'm sure"));
    auto const calls = confirmed("delete the milk, yes really, I'm sure");
    ASSERT_THAT(calls, SizeIs(1));
    EXPECT_EQ(calls[0].tool, delete_tool);
    EXPECT_EQ(calls[0].task, task_id{1});
    auto const renaming = confirmed("rename task 2 to \"buy rye bread\", yes I'm sure");
    ASSERT_THAT(renaming, SizeIs(1));
    EXPECT_EQ(renaming[0].title, "buy rye bread");
}

// covers: S2.07
TEST(confirmed, is_nothing_without_a_clear_yes_or_a_clear_task) {
    EXPECT_FALSE(confirms("delete task 1"));
    EXPECT_FALSE(confirms("yes"));
    EXPECT_FALSE(confirms("complete task 1, I'm sure"));
    EXPECT_THAT(confirmed("delete the buy task, yes I'm sure"), IsEmpty());
    EXPECT_THAT(confirmed("delete task 9, yes I'm sure"), IsEmpty());
}

// covers: S2.07
TEST(confirmed, is_no_task_that_a_slip_or_a_verb_alone_names) {
    std::vector<task> const own{{task_id{1}, "Return the book"}, {task_id{2}, "Milch kaufen"}};
    auto const ids = [&](std::string_view message) {
        std::vector<task_id> named;
        for (auto const& call : confirmed_by(message, {own, {}, std::nullopt}))
            named.push_back(call.task);
        return named;
    };
    for (auto const* message :
         {"delete the cook, yes I'm sure",
          "delete return, yes I'm sure",
          "rename the cook to \"cook dinner\", yes I'm sure",
          "show the cook. delete it, yes I'm sure"})
        EXPECT_THAT(ids(message), IsEmpty()) << message;
    EXPECT_THAT(ids("delete the books, yes I'm sure"), ElementsAre(task_id{1}));
    EXPECT_THAT(ids("lösche die Milch, ja, ich bin sicher"), ElementsAre(task_id{2}))
        << "the verb stands behind it";
}

// covers: S2.07
TEST(confirmed, is_nothing_that_something_not_understood_follows) {
    EXPECT_FALSE(confirms("delete task 1. sure. Oh, keep it"));
    EXPECT_FALSE(confirms("delete task 1, yes I'm sure. keep task 1"));
    EXPECT_TRUE(confirms("The shop is shut. Delete task 1. Yes, I'm sure."));
}

// covers: S2.07
TEST(confirmed, is_nothing_where_the_message_changes_the_task_twice) {
    for (auto const* message :
         {"delete task 1, sure. complete task 1 instead",
          "complete task 1. delete task 1, yes I'm sure",
          "delete the milk, yes I'm sure. rename task 1 to \"buy oat milk\", yes I'm sure"})
        EXPECT_THAT(confirmed(message), IsEmpty()) << message;
    EXPECT_THAT(confirmed("complete task 2. delete task 1, yes I'm sure"), SizeIs(1));
}

// covers: S2.07 S2.13
TEST(confirmed, follows_the_message_from_its_beginning) {
    std::array const shown{task_id{2}, task_id{1}};
    auto const behind_task_2 = [&](std::string_view message) {
        return settings_of(confirmed_by(message, {tasks, shown, task_id{2}}), delete_tool);
    };
    auto const first_named = behind_task_2("show task 1 and delete it, yes I'm sure");
    EXPECT_TRUE(is_confirmed(first_named, {{"task_id", 1}}));
    EXPECT_FALSE(is_confirmed(first_named, {{"task_id", 2}}));
    EXPECT_TRUE(is_confirmed(behind_task_2("delete it, yes I'm sure"), {{"task_id", 2}}));
    EXPECT_TRUE(is_confirmed(behind_task_2("delete the first one, yes I'm sure"), {{"task_id", 2}})
    );
    for (auto const* message :
         {"add buy tea. delete it, yes I'm sure",
          "add buy milk. delete buy milk, yes I'm sure",
          "show the buy task. delete it, yes I'm sure",
          "what's on my list? delete the first one, yes I'm sure"})
        EXPECT_TRUE(behind_task_2(message).empty()) << message;
}

// covers: S2.07
TEST(confirmed, holds_for_all_that_a_renaming_sets) {
    auto const renaming = settings_of(
        confirmed("rename task 2 to \"rye bread\" with high priority, yes I'm sure"), update_tool
    );
    EXPECT_TRUE(
        is_confirmed(renaming, {{"task_id", 2}, {"title", "rye bread"}, {"priority", "high"}})
    );
    EXPECT_FALSE(is_confirmed(renaming, {{"task_id", 2}, {"title", "rye bread"}}));
}

// covers: S2.07
TEST(confirmed, is_for_exactly_that_call) {
    auto const deletion = settings_of(confirmed("delete task 1, yes I'm sure"), delete_tool);
    EXPECT_TRUE(is_confirmed(deletion, {{"task_id", 1}}));
    EXPECT_TRUE(is_confirmed(deletion, {{"task_id", 1}, {"title", "Buy milk"}}));
    EXPECT_FALSE(is_confirmed(deletion, {{"task_id", 2}}));
    EXPECT_FALSE(is_confirmed(deletion, {{"task_id", 1}, {"due", nullptr}}));
    EXPECT_FALSE(is_confirmed({}, {{"task_id", 1}}));
    auto const of_another_tool = settings_of(confirmed("delete task 1, yes I'm sure"), update_tool);
    EXPECT_FALSE(is_confirmed(of_another_tool, {{"task_id", 1}, {"title", "x"}}));

    auto const renaming =
        settings_of(confirmed("rename task 2 to \"rye bread\", yes I'm sure"), update_tool);
    EXPECT_TRUE(is_confirmed(renaming, {{"task_id", 2}, {"title", "rye bread"}}));
    EXPECT_FALSE(is_confirmed(renaming, {{"task_id", 2}, {"title", "nothing"}}));
    EXPECT_FALSE(is_confirmed(renaming, {{"task_id", 2}, {"title", "rye bread"}, {"due", nullptr}})
    );
}

} // namespace
} // namespace postrider::agent::todo::confirmed_test
