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

std::optional<told_task> read_task(base::json_reader const& from) {
    auto const id = from["task_id"].int64_or(0);
    auto title = from["title"].string_or("");
    if (id < 1 || title.empty()) return std::nullopt;
    told_task told;
    told.task.id = task_id{id};
    told.task.title = std::move(title);
    told.task.done = from["completed"].boolean_or(false);
    told.task.urgency = priority_from(from["priority"].string_or(""));
    told.due = from["due"].string_or("");
    for (auto const& name : from["changed"].items_or_none()) {
        told.sets_due |= name.string_or("") == "due";
        told.sets_priority |= name.string_or("") == "priority";
    }
    return told;
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
    base::json_reader const from(*parsed);
    auto const* listed = from["tasks"].raw();
    if (!listed || !listed->is_array()) return std::nullopt;
    told_list told;
    for (auto const& entry : from["tasks"].items_or_none())
        if (auto found = read_task(entry)) told.tasks.push_back(std::move(*found));
    told.total = from["total"].int64_or(static_cast<std::int64_t>(told.tasks.size()));
    if (from["next"]) told.next = from["next"].int64_or(0);
    return told;
}

std::string details_of(told_task const& told, replies const& words) {
    auto text = in_words(
        words.details,
        base::raw(told.task.id),
        told.task.title,
        told.task.done ? words.done : words.open,
        words.priorities.at(static_cast<std::size_t>(told.task.urgency))
    );
    if (!told.due.empty()) text += '\n' + in_words(words.detail_due, due_text(told.due, words));
    return text;
}

std::string line_of(task const& listed) {
    auto line = fmt::format("{}{} {}", number_sign, base::raw(listed.id), listed.title);
    if (listed.urgency == priority::high) line += " ❗";
    if (listed.done) line += " ✅";
    return line;
}

std::string lines_of(told_list const& told, replies const& words) {
    std::string text;
    for (auto const& entry : told.tasks) {
        if (!text.empty()) text += '\n';
        text += line_of(entry.task);
        if (entry.due.empty()) continue;
        text += ' ' + in_words(words.line_due, due_text(entry.due, words));
    }
    auto const more = told.total - static_cast<std::int64_t>(told.tasks.size());
    if (told.next && more > 0) text += '\n' + in_words(words.more, more);
    return text;
}

} // namespace postrider::agent::todo
