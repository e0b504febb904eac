#include "agent/todo/task_words.hpp"

#include "agent/todo/task_definitions.hpp"
#include "base/ids.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"

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

std::string priority_text(std::string_view name, replies const& words) {
    for (auto const level : {priority::low, priority::medium, priority::high})
        if (name == to_string(level)) return std::string(words.priorities.at(std::size_t(level)));
    return std::string(name);
}

// A title stays in its quotes: it may hold such words itself.
std::string change_text(
    std::string_view name, boost::json::value const& value, replies const& words
) {
    if (name == "due" && value.is_null()) return std::string(words.no_due);
    if (name == "due" && value.is_string())
        return in_words(words.due, due_text(std::string_view(value.get_string()), words));
    if (name == "title") return in_words(words.title, base::json_text(value));
    if (name == "priority" && value.is_string())
        return in_words(words.priority, priority_text(value.get_string(), words));
    return fmt::format("{}: {}", name, base::json_text(value));
}

// A call that sets more than the title may leave the title as it was.
std::string change_of(told_task const& task, replies const& words) {
    auto const id = base::raw(task.task.id);
    if (!task.sets_due && !task.sets_priority) return in_words(words.renamed, id, task.task.title);
    std::string changes;
    if (task.sets_due)
        changes = task.task.due.empty() ? std::string(words.no_due)
                                        : in_words(words.due, due_text(task.task.due, words));
    if (task.sets_priority) {
        if (!changes.empty()) changes += ", ";
        changes += in_words(
            words.priority, words.priorities.at(static_cast<std::size_t>(task.task.urgency))
        );
    }
    return in_words(words.changed, id, task.task.title, changes);
}

} // namespace

std::string question_about(
    std::string_view tool, boost::json::object const& arguments, replies const& words
) {
    boost::json::value const all(arguments);
    base::json_reader const from(all);
    auto const id = from["task_id"].int64_or(0);
    if (tool == delete_tool) {
        auto const title = from["title"].string_or("");
        return in_words(words.may_delete, id) + (title.empty() ? "" : " → " + title);
    }
    if (tool != update_tool) return {};
    if (arguments.size() == 2 && from["title"])
        return in_words(words.may_rename, id) + " → " + from["title"].string_or("");
    // A yes is to all that the call changes.
    auto text = in_words(words.may_change, id);
    auto const* before = " → ";
    for (auto const& [name, value] : arguments) {
        if (name == "task_id") continue;
        text += before + change_text(std::string_view(name), value, words);
        before = ", ";
    }
    return text;
}

std::string confirmation_of(std::string_view tool, told_task const& task, replies const& words) {
    auto const& title = task.task.title;
    if (tool == create_tool) {
        auto text = in_words(words.created, title);
        if (task.task.due.empty()) return text;
        return text + " (" + in_words(words.due, due_text(task.task.due, words)) + ')';
    }
    if (tool == complete_tool) return in_words(words.completed, title);
    if (tool == delete_tool) return in_words(words.deleted, title);
    if (tool == update_tool) return change_of(task, words);
    return {};
}

} // namespace postrider::agent::todo
