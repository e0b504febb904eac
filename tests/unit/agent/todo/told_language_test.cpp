// In which language the todo agent tells what was done.
#include "agent/todo/answer_check.hpp"
#include "agent/todo/rules_turn.hpp"
#include "agent/todo/task_definitions.hpp"
#include "tests/unit/agent/language/request_text.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::todo::told_language_test {
namespace {

std::string told(std::string message, std::string_view usual_language) {
    std::vector<chat_message> const messages{{.role = role::user, .content = std::move(message)}};
    auto const zone = language::berlin();
    return next_reply({messages, language::sunday_morning(), zone, usual_language}).reply.text;
}

TEST(told_language, is_the_usual_one_where_no_message_has_one) {
    EXPECT_TRUE(told("77 88 99", "de").starts_with("Das habe ich nicht verstanden."));
    EXPECT_TRUE(told("77 88 99", "").starts_with("I did not understand that."));
    EXPECT_TRUE(told("Как дела?", "de").starts_with("Я этого не понял."));
}

TEST(told_language, is_not_that_of_a_tool_that_found_no_task) {
    tool_result failed{std::string(delete_tool), "There is no task 99.", true, {{"task_id", 99}}};
    failed.error_reason = no_such_task;
    EXPECT_EQ(
        checked_answer("Ich habe Aufgabe 99 gelöscht.", {failed}, "Lösch Aufgabe 99", "de"),
        "Es wurde nichts geändert.\nEs gibt keine Aufgabe 99."
    );
}

// A model writes no marks of direction.
TEST(told_language, finds_a_told_line_without_its_marks) {
    tool_result const created{
        std::string(create_tool),
        R"({"task_id": 3, "title": "Buy milk", "completed": false})",
        false};
    auto const said = "کام بنا دیا: Buy milk";
    EXPECT_EQ(checked_answer(said, {created}, "", "ur"), said);
}

} // namespace
} // namespace postrider::agent::todo::told_language_test
