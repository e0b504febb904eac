// What a model claims, held against the receipts of its turn.
#include "agent/todo/answer_check.hpp"
#include "agent/todo/claims.hpp"
#include "agent/todo/task_definitions.hpp"
#include "agent/todo/task_words.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::todo {
namespace {

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
         })
        EXPECT_THAT(claims_in(text), ElementsAre(claimed)) << text;
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
        EXPECT_THAT(claims_in(text), IsEmpty()) << text;
}

// covers: S2.08
TEST(answer_check, replaces_what_was_claimed_and_not_done) {
    EXPECT_EQ(checked_answer("I've deleted it.", {}), "Nothing was changed.");
    EXPECT_EQ(
        checked_answer("I've created it and deleted the other one.", {done(create_tool)}),
        "Created task: buy milk\nNothing else was changed."
    );
    EXPECT_EQ(
        checked_answer(
            "I've deleted task 7.", {{std::string(delete_tool), "There is no task 7.", true}}
        ),
        "Nothing was changed.\nThere is no task 7."
    );
}

// covers: S2.06
TEST(answer_check, adds_what_an_answer_leaves_out_and_nothing_else) {
    EXPECT_EQ(checked_answer("Sure!", {done(complete_tool)}), "Completed task: buy milk\n\nSure!");
    EXPECT_EQ(
        checked_answer("Deleted task: buy milk. Anything else?", {done(delete_tool)}),
        "Deleted task: buy milk. Anything else?"
    );
    EXPECT_EQ(checked_answer("Hello.", {{"calculator", "4", false}}), "Hello.");
    EXPECT_EQ(with_confirmations("", {done(update_tool)}), "Renamed task 3 to: buy milk");
}

tool_result created(int id, std::string_view title) {
    auto text = fmt::format(R"({{"task_id": {}, "title": "{}", "completed": false}})", id, title);
    return {std::string(create_tool), std::move(text), false};
}

// covers: S2.06
TEST(answer_check, tells_of_each_change_whatever_the_others_are_called) {
    EXPECT_EQ(
        checked_answer(
            "Created task: buy milk and bread",
            {created(3, "buy milk"), created(4, "buy milk and bread")}
        ),
        "Created task: buy milk\n\nCreated task: buy milk and bread"
    );
    EXPECT_EQ(
        checked_answer("", {created(3, "buy milk tea"), created(4, "buy milk")}),
        "Created task: buy milk tea\nCreated task: buy milk"
    );
    EXPECT_EQ(
        checked_answer("", {created(3, "buy milk"), created(4, "buy milk")}),
        "Created task: buy milk\nCreated task: buy milk"
    );
    EXPECT_EQ(
        checked_answer("", {done(complete_tool), done(complete_tool)}), "Completed task: buy milk"
    ) << "completed once";
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
        with_confirmations("", {changed(R"(["title"])", R"(, "due": "2026-12-24")")}),
        "Renamed task 3 to: buy milk"
    );
    EXPECT_EQ(
        with_confirmations(
            "", {changed(R"(["title", "due"])", R"(, "due": "2026-12-24T18:00:00+01:00")")}
        ),
        "Changed task 3 to: buy milk (due: 2026-12-24 18:00)"
    );
    EXPECT_EQ(
        with_confirmations(
            "", {changed(R"(["title", "due", "priority"])", R"(, "priority": "high")")}
        ),
        "Changed task 3 to: buy milk (no due date, priority: high)"
    );
}

// covers: S2.07
TEST(answer_check, asks_about_all_that_a_call_changes) {
    EXPECT_EQ(
        question_about(update_tool, {{"task_id", 3}, {"title", "buy milk"}}),
        "Are you sure you want to rename task 3? (yes/no) → buy milk"
    );
    EXPECT_EQ(
        question_about(
            update_tool, {{"task_id", 3}, {"title", "buy milk"}, {"due", "2026-12-24T18:00"}}
        ),
        "Are you sure you want to change task 3? (yes/no) → title: \"buy milk\", "
        "due: 2026-12-24 18:00"
    );
    EXPECT_EQ(
        question_about(
            update_tool,
            {{"task_id", 3}, {"title", "buy milk"}, {"due", nullptr}, {"priority", "low"}}
        ),
        "Are you sure you want to change task 3? (yes/no) → title: \"buy milk\", no due date, "
        "priority: \"low\""
    );
}

} // namespace
} // namespace postrider::agent::todo
