// What the rules do next, from the messages alone.
#include "agent/todo/task_definitions.hpp"
#include "tests/unit/agent/todo/task_shelf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::todo::rules_turn_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

tool_call by_a_model(std::string_view tool, boost::json::object arguments) {
    return {"call_1", std::string(tool), std::move(arguments), {}};
}

// covers: S2.13
TEST(rules_turn, resolves_places_and_pronouns_against_what_was_said_last) {
    task_shelf shelf({"buy milk", "buy bread", "call Ann"});
    EXPECT_EQ(shelf.hear("show task 2"), "Task 2: buy bread\nStatus: open\nPriority: medium");
    EXPECT_EQ(shelf.hear("complete it"), "Completed task: buy bread");
    EXPECT_EQ(shelf.hear("delete task 1"), "Deleted task: buy milk");
    shelf.hear("what's on my list?");
    EXPECT_EQ(shelf.hear("finish the second one"), "Completed task: call Ann");
}

// covers: S2.07
TEST(rules_turn, goes_on_when_a_person_says_no) {
    task_shelf shelf({"buy milk"});
    shelf.consents = false;
    EXPECT_EQ(
        shelf.hear("delete task 1 and add buy tea"), "Task 1 is unchanged.\nCreated task: buy tea"
    );
    EXPECT_EQ(shelf.tasks(), "1 buy milk, 2 buy tea");
}

TEST(rules_turn, asks_which_task_is_meant) {
    task_shelf shelf({"buy milk", "buy bread", "call Ann"});
    EXPECT_EQ(
        shelf.hear("delete the buy task"), "Which one shall I delete?\n#1 buy milk\n#2 buy bread"
    );
    EXPECT_THAT(shelf.calls, IsEmpty());
    EXPECT_EQ(shelf.hear("the second one"), "Deleted task: buy bread");
}

// A title's verb is no name of its task; what the verb is about is.
TEST(rules_turn, completes_nothing_by_a_verb_alone) {
    task_shelf shelf({"call Ann", "game night", "buy coffee"});
    EXPECT_EQ(shelf.hear("call finished"), "Which one shall I complete?\n#1 call Ann");
    EXPECT_EQ(shelf.hear("the game is finished"), "Which one shall I complete?\n#2 game night");
    EXPECT_THAT(shelf.calls, IsEmpty());
    EXPECT_EQ(shelf.hear("2"), "Completed task: game night");
    EXPECT_EQ(shelf.hear("done with the coffee"), "Completed task: buy coffee");
}

TEST(rules_turn, takes_a_yes_for_the_only_task_that_came_near) {
    task_shelf shelf({"call Ann", "game night"});
    shelf.hear("call finished");
    EXPECT_EQ(shelf.hear("no"), "I changed nothing.");
    shelf.hear("call finished");
    EXPECT_EQ(shelf.hear("yes"), "Completed task: call Ann");
    shelf.hear("what's on my list?");
    shelf.hear("finish");
    EXPECT_EQ(shelf.hear("yes"), "Which one? Say its number or its title.");
    EXPECT_THAT(shelf.calls, ElementsAre("complete_todo_task 1")) << "no task was named";
}

// Completing asks nobody, and a word that is another by a slip may be meant as it is.
TEST(rules_turn, completes_nothing_by_another_word_of_nearly_the_same_letters) {
    task_shelf shelf({"read the book", "pay rent", "buy milk", "write the report"});
    EXPECT_EQ(shelf.hear("complete the cook"), "Which one shall I complete?\n#1 read the book");
    EXPECT_EQ(shelf.hear("complete tent"), "Which one shall I complete?\n#2 pay rent");
    EXPECT_EQ(shelf.hear("complete silk"), "Which one shall I complete?\n#3 buy milk");
    EXPECT_THAT(shelf.calls, IsEmpty());
    EXPECT_EQ(shelf.hear("complete the mlik"), "Completed task: buy milk");
    EXPECT_EQ(shelf.hear("the books are done"), "Completed task: read the book");
    EXPECT_EQ(shelf.hear("finish the repotr"), "Completed task: write the report");
}

// A deletion that is confirmed asks nobody either.
// covers: S2.07
TEST(rules_turn, asks_which_task_a_confirmed_deletion_means_by_a_slip) {
    task_shelf shelf({"buy milk", "return the book"});
    constexpr auto question = "Which one shall I delete?\n#2 return the book";
    EXPECT_EQ(shelf.hear("delete the cook, yes I'm sure"), question);
    EXPECT_EQ(shelf.hear("delete return, yes I'm sure"), question);
    EXPECT_EQ(
        shelf.hear("rename the cook to \"cook dinner\", yes I'm sure"),
        "Which one shall I rename?\n#2 return the book"
    );
    EXPECT_EQ(
        shelf.hear("show the cook. Delete it, yes I'm sure."),
        "Which one shall I show?\n#2 return the book\n"
        "I do not know which task you mean. Say its number or its title."
    );
    EXPECT_THAT(shelf.calls, IsEmpty());
    EXPECT_EQ(shelf.hear("delete the books, yes I'm sure"), "Deleted task: return the book");
}

TEST(rules_turn, completes_nothing_by_a_number_in_its_title) {
    task_shelf shelf({"buy 1 kg of flour", "buy 1.5 l of milk"});
    EXPECT_EQ(shelf.hear("complete task -1"), "I found no task that is called \"-1\".");
    EXPECT_EQ(shelf.hear("complete 1.5"), "Which one shall I complete?\n#2 buy 1.5 l of milk");
    EXPECT_THAT(shelf.calls, IsEmpty());
}

TEST(rules_turn, shows_a_task_whose_number_is_said) {
    task_shelf shelf({"buy milk", "buy bread"});
    EXPECT_THAT(shelf.hear("task 2"), StartsWith("Task 2: buy bread"));
    shelf.hear("delete the buy task");
    EXPECT_EQ(shelf.hear("task 2"), "Deleted task: buy bread") << "it answers the question";
}

TEST(rules_turn, answers_a_yes_or_a_no_that_nothing_waits_for) {
    task_shelf shelf({"buy milk"});
    for (auto const* said : {"yes", "no"})
        EXPECT_EQ(shelf.hear(said), "There is nothing that waits for a yes or a no.") << said;
    EXPECT_EQ(shelf.hear("нет"), "Ничто не ждёт «да» или «нет».");
    EXPECT_EQ(shelf.hear("nein"), "Nichts wartet auf ein Ja oder Nein.");
    EXPECT_EQ(shelf.hear("non"), "Rien n'attend un oui ou un non.");
}

TEST(rules_turn, goes_on_in_the_language_of_the_request) {
    task_shelf shelf({"Milch kaufen", "Milch holen"});
    EXPECT_THAT(shelf.hear("lösche die Milch"), StartsWith("Welche"));
    EXPECT_EQ(shelf.hear("2"), "Aufgabe gelöscht: Milch holen");
}

TEST(rules_turn, adds_only_what_is_not_there) {
    task_shelf shelf({"Buy Milk"});
    EXPECT_EQ(
        shelf.hear("add buy milk if it's not there yet, and add tea unless it's there"),
        "It is there already: task 1, Buy Milk.\nCreated task: tea"
    );
    EXPECT_EQ(shelf.tasks(), "1 Buy Milk, 2 tea");
    EXPECT_EQ(shelf.hear("complete it"), "Completed task: tea");
    EXPECT_EQ(shelf.hear("add tea if it's not there"), "Created task: tea");
    EXPECT_EQ(
        shelf.hear("add rice and add rice if it's not there"),
        "Created task: rice\nIt is there already: task 4, rice."
    );
}

TEST(rules_turn, says_that_a_message_is_too_long) {
    task_shelf shelf;
    EXPECT_THAT(
        shelf.hear("add " + std::string(20'000, 'x')),
        StartsWith("That is too long for me: I understand messages of up to 8192 bytes")
    );
    EXPECT_THAT(shelf.calls, IsEmpty());
}

TEST(rules_turn, forgets_its_question_once_something_else_was_said) {
    task_shelf shelf({"buy milk", "buy bread"});
    shelf.hear("delete the buy task");
    shelf.hear("add call Ann");
    shelf.hear("the second one");
    EXPECT_THAT(shelf.calls, ElementsAre("create_todo_task"));
}

TEST(rules_turn, tells_of_no_task_of_that_name) {
    task_shelf shelf({"buy milk"});
    EXPECT_EQ(shelf.hear("delete the report"), "I found no task that is called \"report\".");
    EXPECT_EQ(shelf.hear("complete task 0"), "There is no task 0.");
    EXPECT_THAT(shelf.calls, IsEmpty());
}

// covers: S2.02
TEST(rules_turn, repeats_nothing_that_a_model_did_before_it_failed) {
    task_shelf shelf({"buy milk"});
    shelf.hear_behind(
        "delete the milk and add call Ann", {by_a_model(delete_tool, {{"task_id", 1}})}
    );
    EXPECT_EQ(shelf.tasks(), "2 call Ann");
    EXPECT_THAT(shelf.calls, ElementsAre("delete_todo_task 1", "create_todo_task"));
}

// covers: S2.02
TEST(rules_turn, takes_a_models_words_for_a_title_that_was_asked_for) {
    task_shelf shelf;
    shelf.hear_behind(
        "add milk. add call Ann.", {by_a_model(create_tool, {{"title", "Phone Ann"}})}
    );
    EXPECT_THAT(shelf.calls, ElementsAre("create_todo_task", "create_todo_task"))
        << "one by the model, one for what was left";
}

// covers: S2.02
TEST(rules_turn, deletes_once_whatever_else_it_does_not_find) {
    task_shelf shelf({"buy milk"});
    shelf.hear("delete the report. delete the milk.");
    EXPECT_THAT(shelf.calls, ElementsAre("delete_todo_task 1"));
    EXPECT_LT(shelf.rounds, 5);
}

TEST(rules_turn, says_when_a_title_is_too_long) {
    task_shelf shelf({"buy milk"});
    std::string const title(600, 'x');
    constexpr auto told = "A title has at most 500 characters, and that one has 600.";
    EXPECT_EQ(shelf.hear("add " + title), told);
    EXPECT_EQ(shelf.hear("rename task 1 to " + title), told);
    EXPECT_EQ(
        shelf.hear("add " + title + ". add buy tea."), told + std::string("\nCreated task: buy tea")
    );
    EXPECT_EQ(shelf.tasks(), "1 buy milk, 2 buy tea");
}

TEST(rules_turn, says_what_can_be_asked) {
    task_shelf shelf;
    EXPECT_THAT(shelf.hear("hello"), HasSubstr("add buy milk"));
    EXPECT_THAT(shelf.hear("the weather was nice"), StartsWith("I did not understand that."));
    EXPECT_EQ(shelf.hear("yes"), "There is nothing that waits for a yes or a no.");
}

} // namespace
} // namespace postrider::agent::todo::rules_turn_test
