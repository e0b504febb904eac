// Several parts of one message: none is lost, and none meets another task than it names.
#include "agent/todo/task_definitions.hpp"
#include "tests/unit/agent/todo/task_shelf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::todo::rules_turn_order_test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;

tool_call renaming_by_a_model(std::string_view title) {
    boost::json::object arguments{{"task_id", 1}, {"title", title}};
    return {"call_1", std::string(update_tool), std::move(arguments), {}};
}

// covers: S2.06 S2.11
TEST(rules_turn_order, renames_a_task_twice_and_tells_both) {
    task_shelf shelf({"buy milk"});
    EXPECT_EQ(
        shelf.hear("rename task 1 to buy tea. complete task 1. rename task 1 to buy cocoa."),
        "Renamed task 1 to: buy tea\nCompleted task: buy tea\nRenamed task 1 to: buy cocoa"
    );
    EXPECT_EQ(shelf.tasks(), "1 buy cocoa done");
    EXPECT_EQ(
        shelf.hear("rename task 1 to buy tea. rename task 1 to buy milk."),
        "Renamed task 1 to: buy tea\nRenamed task 1 to: buy milk"
    );
    EXPECT_EQ(shelf.tasks(), "1 buy milk done");
}

// covers: S2.07
TEST(rules_turn_order, asks_about_each_change_of_a_task_by_itself) {
    task_shelf shelf({"buy milk"});
    EXPECT_EQ(
        shelf.hear("delete task 1. rename task 1 to buy tea."),
        "Deleted task: buy milk\nThere is no task 1 any more."
    );
    EXPECT_THAT(shelf.calls, ElementsAre("delete_todo_task 1")) << "nobody is asked in vain";
}

// covers: S2.02
TEST(rules_turn_order, tells_which_of_two_titles_a_model_left_out) {
    task_shelf shelf({"buy milk"});
    shelf.hear_behind(
        "rename task 1 to buy tea. rename task 1 to buy cocoa.", {renaming_by_a_model("Buy cocoa")}
    );
    EXPECT_EQ(shelf.tasks(), "1 Buy cocoa");
    EXPECT_THAT(shelf.calls, ElementsAre("update_todo_task 1"));

    shelf.hear_behind(
        "rename task 1 to buy tea. rename task 1 to buy milk.", {renaming_by_a_model("buy tea")}
    );
    EXPECT_EQ(shelf.tasks(), "1 buy milk") << "the second one is still to be done";
}

tool_call completion_by_a_model(int task) {
    return {"call_1", std::string(complete_tool), boost::json::object{{"task_id", task}}, {}};
}

// covers: S2.02
TEST(rules_turn_order, does_nothing_again_that_a_model_has_done_to_another_task) {
    task_shelf shelf({"buy milk", "buy bread"});
    EXPECT_EQ(
        shelf.hear_behind("done with the milk", {completion_by_a_model(2)}),
        "Completed task: buy bread"
    );
    EXPECT_THAT(shelf.calls, ElementsAre("complete_todo_task 2"));
}

// covers: S2.02
TEST(rules_turn_order, takes_a_models_call_for_the_part_that_it_belongs_to) {
    task_shelf shelf({"buy milk", "buy bread"});
    shelf.hear_behind("done with the milk and the bread", {completion_by_a_model(2)});
    EXPECT_EQ(shelf.tasks(), "1 buy milk done, 2 buy bread done");
    EXPECT_EQ(
        shelf.hear_behind("complete the bicycle. complete task 2.", {completion_by_a_model(2)}),
        "I found no task that is called \"bicycle\".\nCompleted task: buy bread"
    );
    EXPECT_EQ(
        shelf.hear_behind("done with the milk", {completion_by_a_model(9)}),
        "Completed task: buy milk"
    ) << "there is no task 9: nothing was done";
}

// covers: S2.13
TEST(rules_turn_order, takes_places_of_a_list_that_the_same_message_asks_for) {
    task_shelf shelf({"buy milk", "buy bread", "call Ann"});
    shelf.hear("delete the buy task"); // which of the two?
    EXPECT_THAT(
        shelf.hear("show my list and finish the last one"), EndsWith("Completed task: call Ann")
    );
    EXPECT_THAT(shelf.calls, ElementsAre("complete_todo_task 3"));
}

// covers: S2.13
TEST(rules_turn_order, takes_it_for_no_earlier_task_when_the_last_one_is_not_clear) {
    task_shelf shelf({"buy milk", "buy bread", "call Ann"});
    for (auto const* unclear :
         {"delete the buy task. finish it.",
          "delete the bicycle. finish it.",
          "add a task. finish it."}) {
        shelf.hear("show task 3");
        shelf.hear(unclear);
        EXPECT_THAT(shelf.calls, IsEmpty()) << unclear;
    }
    for (auto const* unclear : {"delete the buy task", "delete the bicycle"}) {
        shelf.hear("show task 3");
        shelf.hear(unclear);
        shelf.hear("finish it");
        EXPECT_THAT(shelf.calls, IsEmpty()) << unclear;
    }
}

// covers: S2.11
TEST(rules_turn_order, tells_that_it_has_passed_something_over) {
    task_shelf shelf;
    EXPECT_EQ(
        shelf.hear("add buy milk; the green one"),
        "Created task: buy milk\nI did not understand the rest of that."
    );
    EXPECT_THAT(
        shelf.hear("what's on my list? complete task 1 if it rains."),
        EndsWith("\nI am not sure what else you want. Say it in a sentence of its own.")
    );
    EXPECT_EQ(shelf.tasks(), "1 buy milk");
}

// covers: S2.13
TEST(rules_turn_order, gives_no_task_the_title_of_another_renaming) {
    task_shelf shelf({"buy milk", "buy bread", "call Ann", "call Bob"});
    shelf.hear("rename the buy task to shop. rename the call task to phone.");
    shelf.hear("the last one");
    EXPECT_THAT(shelf.calls, IsEmpty());
}

// covers: S2.13
TEST(rules_turn_order, takes_the_name_of_a_deleted_task_for_no_other_one) {
    task_shelf shelf({"milk", "oat milk"});
    EXPECT_EQ(
        shelf.hear("delete the milk. finish the milk."),
        "Deleted task: milk\nThere is no task 1 any more."
    );
    EXPECT_EQ(shelf.tasks(), "2 oat milk");
}

} // namespace
} // namespace postrider::agent::todo::rules_turn_order_test
