// What a model claims, held against the receipts of its turn.
#include "agent/language/claims.hpp"
#include "agent/language/reading/understand.hpp"
#include "agent/todo/answer_check.hpp"
#include "agent/todo/task_definitions.hpp"
#include "agent/todo/task_words.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::todo::answer_check_test {
namespace {

std::string checked(
    std::string said, std::vector<tool_result> const& results, std::string_view asked = {}
) {
    return checked_answer(std::move(said), results, asked, language::language_of(asked));
}

using kind = intent::kind;
using testing::ElementsAre;
using testing::IsEmpty;

tool_result done(std::string_view tool) {
    return {std::string(tool), R"({"task_id": 3, "title": "buy milk", "completed": false})", false};
}

// covers: S2.08
TEST(answer_check, finds_claims_in_six_languages) {
    for (auto const& [text, claimed] : std::vector<std::pair<std::string_view, kind>>{
             {"I've deleted the task.", kind::remove},
             {"No problem, I've deleted it. Let me know if you need more.", kind::remove},
             {"All tasks have been removed!", kind::remove},
             {"I added it to your list.", kind::create},
             {"I've created it.", kind::create},
             {"I’ve completed it.", kind::complete},
             {"Created task: milk", kind::create},
             {"Renamed task 3 to: milk", kind::update},
             {"I marked it as done.", kind::complete},
             {"Task 3 is now done.", kind::complete},
             {"I've changed the due date to Friday.", kind::update},
             {"Changed task 3 to: milk (priority: high)", kind::update},
             {"I rescheduled it for Monday.", kind::update},
             {"Ich habe die Aufgabe verschoben.", kind::update},
             {"Ich habe die Aufgabe gelöscht.", kind::remove},
             {"He añadido la tarea.", kind::create},
             {"J'ai supprimé la tâche.", kind::remove},
             {"Я удалил задачу.", kind::remove},
             {"میں نے کام حذف کر دیا۔", kind::remove},
             {"Task 1 is gone now.", kind::remove},
             {"It no longer appears in your list.", kind::remove},
             {"Milk is now on your list as #7.", kind::create},
         })
        EXPECT_THAT(language::claims_in(text).kinds, ElementsAre(claimed)) << text;
}

TEST(answer_check, takes_questions_negations_and_offers_for_no_claims) {
    for (auto const* text :
         {"Shall I delete it?",
          "I have not deleted anything.",
          "I can mark it as done for you.",
          "Nothing was removed.",
          "I haven't changed the due date.",
          "Your list:\n#1 buy milk",
          "Ich habe nichts gelöscht.",
          "Je n'ai pas supprimé la tâche.",
          "Add \"deleted files\" to the list?"})
        EXPECT_THAT(language::claims_in(text).kinds, IsEmpty()) << text;
}

// Words of titles, what others did, and what was done some day.
TEST(answer_check, takes_no_word_for_a_claim_of_this_turn_that_is_none) {
    for (auto const* text :
         {"Your list:\n#1 Send updated contract\n#2 Review deleted files",
          "You have one open task: Send updated contract",
          "Your tasks:\n- Send updated contract\n- Ask why it was removed",
          "1. Review the added clauses\n2. Call Ann",
          "You deleted the milk yesterday.",
          "You've already deleted it.",
          "Du hast die Milch gelöscht.",
          "Tu as supprimé la tâche.",
          "Ты удалил задачу.",
          "The milk was deleted on Monday.",
          "The task had been renamed before.",
          "The updated list has two tasks.",
          "It was created on Monday."})
        EXPECT_THAT(language::claims_in(text).kinds, IsEmpty()) << text;
}

TEST(answer_check, takes_no_word_of_a_known_title_for_a_claim) {
    language::claim_context const context{.tasks = {{.title = "I have deleted everything"}}};
    EXPECT_THAT(
        language::claims_in("The first is I have deleted everything, and it is open.", context)
            .kinds,
        IsEmpty()
    );
    EXPECT_THAT(
        language::claims_in("I have deleted the task.", context).kinds, ElementsAre(kind::remove)
    );
}

// covers: S2.08
TEST(answer_check, finds_claims_beside_lists_and_titles) {
    for (auto const* text :
         {"- I deleted the milk\n- anything else?",
          "• Deleted task: buy milk",
          "Milk removed.",
          "Deleted!",
          "You asked for it, and I deleted it.",
          "The task you asked for has been deleted.",
          "I've already deleted it."})
        EXPECT_THAT(language::claims_in(text).kinds, ElementsAre(kind::remove)) << text;
}

// covers: S2.08
TEST(answer_check, holds_what_other_tools_did_against_their_receipts) {
    tool_result const reminder{"set_reminder", "ok", false};
    EXPECT_EQ(checked("I've added a reminder.", {reminder}), "I've added a reminder.");
    EXPECT_EQ(checked("I've added a reminder.", {}), "Nothing was changed.");
    EXPECT_EQ(checked("I've deleted your task.", {reminder}), "Nothing was changed.");
    EXPECT_EQ(checked("I've deleted it.", {reminder}), "I've deleted it.");
}

// covers: S2.06
TEST(answer_check, tells_of_changes_in_the_language_of_the_message) {
    EXPECT_EQ(
        checked("Gern!", {done(complete_tool)}, "hak Aufgabe 3 ab"),
        "Aufgabe erledigt: buy milk\n\nGern!"
    );
    EXPECT_EQ(
        checked("Ich habe sie gelöscht.", {}, "lösche Aufgabe 3"), "Es wurde nichts geändert."
    );
    EXPECT_EQ(
        question_about(delete_tool, {{"task_id", 3}}, replies_in("de")),
        "Soll ich Aufgabe 3 wirklich löschen? (ja/nein)"
    );
}

// covers: S2.08
TEST(answer_check, replaces_what_was_claimed_and_not_done) {
    EXPECT_EQ(checked("I've deleted it.", {}), "Nothing was changed.");
    EXPECT_EQ(
        checked("I've created it and deleted the other one.", {done(create_tool)}),
        "Created task: buy milk\nNothing else was changed."
    );
    EXPECT_EQ(
        checked("I've deleted task 7.", {{std::string(delete_tool), "There is no task 7.", true}}),
        "Nothing was changed.\nThere is no task 7."
    );
}

// covers: S2.06
TEST(answer_check, adds_what_an_answer_leaves_out_and_nothing_else) {
    EXPECT_EQ(checked("Sure!", {done(complete_tool)}), "Completed task: buy milk\n\nSure!");
    EXPECT_EQ(
        checked("Deleted task: buy milk. Anything else?", {done(delete_tool)}),
        "Deleted task: buy milk. Anything else?"
    );
    EXPECT_EQ(checked("Hello.", {{"calculator", "4", false}}), "Hello.");
    EXPECT_EQ(with_confirmations("", {done(update_tool)}, "en"), "Renamed task 3 to: buy milk");
}

tool_result created(int id, std::string_view title) {
    auto text = fmt::format(R"({{"task_id": {}, "title": "{}", "completed": false}})", id, title);
    return {std::string(create_tool), std::move(text), false};
}

// covers: S2.08
TEST(answer_check, replaces_claims_of_more_and_of_other_tasks_than_were_changed) {
    auto const told = "Created task: honest\nNothing else was changed.";
    for (auto const* claim :
         {"Added two tasks: honest and another one.",
          "I've added both.",
          "I created the task 'pay taxes'.",
          "I created the task 'honest' and completed #1.",
          "Milk is now on your list as #7."})
        EXPECT_EQ(checked(claim, {created(3, "honest")}, "add honest"), told) << claim;
    for (auto const* honest : {"I've added 'honest.'", "Honest is now on your list as #3."})
        EXPECT_EQ(
            checked(honest, {created(3, "honest")}, "add honest"),
            "Created task: honest\n\n" + std::string(honest)
        );
}

// covers: S2.08
TEST(answer_check, says_that_nothing_was_done_of_what_was_asked_for) {
    for (auto const* claim :
         {"All set! 'buy milk' ✅", "I'll go ahead and wipe the first entry. Finished.", "Done."})
        EXPECT_EQ(checked(claim, {}, "add buy milk"), "Nothing was changed.") << claim;
    EXPECT_EQ(
        checked("As you like. Anything else?", {}, "delete task 1"),
        "As you like. Anything else?\n\nNothing was changed."
    );
    EXPECT_EQ(
        checked("I like it.", {created(3, "tea")}, "add tea and delete task 1"),
        "Created task: tea\n\nI like it.\n\nNothing else was changed."
    );
    EXPECT_EQ(checked("Which milk is it?", {}, "delete the milk"), "Which milk is it?");
    EXPECT_EQ(checked("All set!", {}, "hello"), "All set!");
    EXPECT_EQ(
        checked("All set!", {{"remind", "at 9:00", false}}, "remind me to call Ann at 9"),
        "All set!"
    );
}

// covers: S2.06
TEST(answer_check, tells_of_each_change_whatever_the_others_are_called) {
    EXPECT_EQ(
        checked(
            "Created task: buy milk and bread",
            {created(3, "buy milk"), created(4, "buy milk and bread")}
        ),
        "Created task: buy milk\n\nCreated task: buy milk and bread"
    );
    EXPECT_EQ(
        checked("", {created(3, "buy milk tea"), created(4, "buy milk")}),
        "Created task: buy milk tea\nCreated task: buy milk"
    );
    EXPECT_EQ(
        checked("", {created(3, "buy milk"), created(4, "buy milk")}),
        "Created task: buy milk\nCreated task: buy milk"
    );
    EXPECT_EQ(checked("", {done(complete_tool), done(complete_tool)}), "Completed task: buy milk")
        << "completed once";
}

// covers: S2.02
TEST(answer_check, tells_when_a_new_task_is_due) {
    auto const text =
        R"({"task_id": 3, "title": "call Ann", "completed": false, "due": "2026-12-24T18:00:00+01:00"})";
    EXPECT_EQ(
        with_confirmations("", {{std::string(create_tool), text, false}}, "en"),
        "Created task: call Ann (due: Thu, 24 December 2026, 18:00)"
    );
}

tool_result changed(std::string_view arguments, std::string_view rest) {
    auto text = fmt::format(
        R"({{"task_id": 3, "title": "buy milk", "completed": false, "changed": {}{}}})",
        arguments,
        rest
    );
    return {std::string(update_tool), std::move(text), false};
}

// covers: S2.06
TEST(answer_check, tells_of_a_changed_due_date_or_priority_as_that) {
    EXPECT_EQ(
        with_confirmations("", {changed(R"(["title"])", R"(, "due": "2026-12-24")")}, "en"),
        "Renamed task 3 to: buy milk"
    );
    EXPECT_EQ(
        with_confirmations(
            "", {changed(R"(["title", "due"])", R"(, "due": "2026-12-24T18:00:00+01:00")")}, "en"
        ),
        "Changed task 3 to: buy milk (due: Thu, 24 December 2026, 18:00)"
    );
    EXPECT_EQ(
        with_confirmations(
            "", {changed(R"(["title", "due", "priority"])", R"(, "priority": "high")")}, "en"
        ),
        "Changed task 3 to: buy milk (no due date, priority: high)"
    );
}

// covers: S2.07
TEST(answer_check, asks_about_all_that_a_call_changes) {
    EXPECT_EQ(
        question_about(delete_tool, {{"task_id", 3}}),
        "Are you sure you want to delete task 3? (yes/no)"
    );
    EXPECT_EQ(
        question_about(delete_tool, {{"task_id", 3}, {"title", "buy milk"}}),
        "Are you sure you want to delete task 3? (yes/no) → buy milk"
    );
    EXPECT_EQ(
        question_about(update_tool, {{"task_id", 3}, {"title", "buy milk"}}),
        "Are you sure you want to rename task 3? (yes/no) → buy milk"
    );
    EXPECT_EQ(
        question_about(
            update_tool, {{"task_id", 3}, {"title", "buy milk"}, {"due", "2026-12-24T18:00"}}
        ),
        "Are you sure you want to change task 3? (yes/no) → title: \"buy milk\", "
        "due: Thu, 24 December 2026, 18:00"
    );
    EXPECT_EQ(
        question_about(
            update_tool,
            {{"task_id", 3}, {"title", "buy milk"}, {"due", nullptr}, {"priority", "low"}}
        ),
        "Are you sure you want to change task 3? (yes/no) → title: \"buy milk\", no due date, "
        "priority: low"
    );
}

TEST(answer_check, reads_a_title_of_several_words_in_quotes) {
    EXPECT_EQ(
        checked(
            "I've added \"buy milk\". Shall I set a date?", {created(3, "buy milk")}, "add buy milk"
        ),
        "Created task: buy milk\n\nI've added \"buy milk\". Shall I set a date?"
    );
}

TEST(answer_check, finds_a_claim_behind_a_mark) {
    for (auto const* claim : {"#3 has been deleted.", "## I deleted the milk"})
        EXPECT_EQ(checked(claim, {}).find(claim), std::string::npos) << claim;
    EXPECT_EQ(checked("#3 Send updated contract", {}), "#3 Send updated contract");
}

TEST(answer_check, finds_claims_in_spanish_and_german) {
    for (auto const* claim : {"Se ha eliminado la tarea.", "Ich habe die Aufgabe hier gelöscht."})
        EXPECT_EQ(checked(claim, {}).find(claim), std::string::npos) << claim;
}

} // namespace
} // namespace postrider::agent::todo::answer_check_test
