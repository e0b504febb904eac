#include "agent/todo/task_words.hpp"

#include "agent/todo/task_definitions.hpp"
#include "base/ids.hpp"
#include "base/json.hpp"
#include "base/json_text.hpp"

#include <fmt/format.h>

namespace postrider::agent::todo {

bool is_task_tool(std::string_view tool) noexcept {
    return is_mutation(tool) || tool == get_tool || tool == list_tool;
}

bool is_mutation(std::string_view tool) noexcept {
    return tool == create_tool || tool == update_tool || tool == complete_tool ||
           tool == delete_tool;
}

namespace {

// A title stays in its quotes: it may hold such words itself.
std::string change_text(std::string_view name, boost::json::value const& value) {
    if (name == "due" && value.is_null()) return "no due date";
    if (name == "due" && value.is_string())
        return "due: " + due_text(std::string(value.get_string()));
    return fmt::format("{}: {}", name, base::json_text(value));
}

// A call that sets more than the title may leave the title as it was.
std::string change_of(told_task const& told) {
    auto const id = base::raw(told.task.id);
    if (!told.sets_due && !told.sets_priority)
        return fmt::format("Renamed task {} to: {}", id, told.task.title);
    std::string changes;
    if (told.sets_due) changes = told.due.empty() ? "no due date" : "due: " + due_text(told.due);
    if (told.sets_priority) {
        if (!changes.empty()) changes += ", ";
        changes += fmt::format("priority: {}", to_string(told.task.urgency));
    }
    return fmt::format("Changed task {} to: {} ({})", id, told.task.title, changes);
}

} // namespace

std::string question_about(std::string_view tool, boost::json::object const& arguments) {
    boost::json::value const all(arguments);
    base::json_reader const from(all);
    auto const id = from["task_id"].int64_or(0);
    if (tool == delete_tool) {
        auto const title = from["title"].string_or("");
        return fmt::format("Are you sure you want to delete task {}? (yes/no)", id) +
               (title.empty() ? "" : " → " + title);
    }
    if (tool != update_tool) return {};
    if (arguments.size() == 2 && from["title"])
        return fmt::format(
            "Are you sure you want to rename task {}? (yes/no) → {}",
            id,
            from["title"].string_or("")
        );
    // A yes is to all that the call changes.
    auto text = fmt::format("Are you sure you want to change task {}? (yes/no)", id);
    auto const* before = " → ";
    for (auto const& [name, value] : arguments) {
        if (name == "task_id") continue;
        text += before + change_text(std::string_view(name), value);
        before = ", ";
    }
    return text;
}

std::string confirmation_of(std::string_view tool, told_task const& told) {
    auto const& title = told.task.title;
    if (tool == create_tool)
        return "Created task: " + title +
               (told.due.empty() ? std::string() : fmt::format(" (due: {})", due_text(told.due)));
    if (tool == complete_tool) return "Completed task: " + title;
    if (tool == delete_tool) return "Deleted task: " + title;
    if (tool == update_tool) return change_of(told);
    return {};
}

} // namespace postrider::agent::todo
