#include "agent/todo/told_tasks.hpp"

#include "base/ids.hpp"
#include "base/json/json.hpp"

#include <fmt/format.h>

#include <charconv>

namespace postrider::agent::todo {

namespace {

constexpr char number_sign = '#';

priority priority_from(std::string_view name) {
    if (name == to_string(priority::high)) return priority::high;
    return name == to_string(priority::low) ? priority::low : priority::medium;
}

std::optional<told_task> read_task(base::json_reader const& object) {
    auto const id = object["task_id"].int64_or(0);
    auto title = object["title"].string_or("");
    if (id < 1 || title.empty()) return std::nullopt;
    told_task task;
    task.task.id = task_id{id};
    task.task.title = std::move(title);
    task.task.done = object["completed"].boolean_or(false);
    task.task.urgency = priority_from(object["priority"].string_or(""));
    task.task.due = object["due"].string_or("");
    for (auto const& name : object["changed"].items_or_none()) {
        task.sets_due |= name.string_or("") == "due";
        task.sets_priority |= name.string_or("") == "priority";
    }
    return task;
}

} // namespace

std::optional<told_task> task_in(std::string_view result) {
    auto const parsed = base::parse_json(result);
    if (!parsed || !parsed->is_object()) return std::nullopt;
    return read_task(base::json_reader(*parsed));
}

std::optional<told_list> list_in(std::string_view result) {
    auto const parsed = base::parse_json(result);
    if (!parsed || !parsed->is_object()) return std::nullopt;
    base::json_reader const document(*parsed);
    auto const* listed = document["tasks"].raw();
    if (!listed || !listed->is_array()) return std::nullopt;
    told_list list;
    for (auto const& entry : document["tasks"].items_or_none())
        if (auto told = read_task(entry)) list.tasks.push_back(std::move(*told));
    list.total = document["total"].int64_or(static_cast<std::int64_t>(list.tasks.size()));
    if (document["next"]) list.next = document["next"].int64_or(0);
    return list;
}

std::string details_of(told_task const& task, replies const& words) {
    auto text = in_words(
        words.details,
        base::raw(task.task.id),
        task.task.title,
        task.task.done ? words.done : words.open,
        words.priorities.at(static_cast<std::size_t>(task.task.urgency))
    );
    if (!task.task.due.empty())
        text += '\n' + in_words(words.detail_due, due_text(task.task.due, words));
    return text;
}

std::string line_of(task const& listed) {
    auto line = fmt::format("{}{} {}", number_sign, base::raw(listed.id), listed.title);
    if (listed.urgency == priority::high) line += " ❗";
    if (listed.done) line += " ✅";
    return line;
}

std::string lines_of(told_list const& list, replies const& words) {
    std::string text;
    for (auto const& entry : list.tasks) {
        if (!text.empty()) text += '\n';
        text += line_of(entry.task);
        if (entry.task.due.empty()) continue;
        text += ' ' + in_words(words.line_due, due_text(entry.task.due, words));
    }
    auto const more = list.total - static_cast<std::int64_t>(list.tasks.size());
    if (list.next && more > 0) text += '\n' + in_words(words.more, more);
    return text;
}

} // namespace postrider::agent::todo
