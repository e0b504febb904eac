#include "agent/todo/task_arguments.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::todo {

namespace json = boost::json;

namespace {

using base::errc;
using base::error;

constexpr std::string_view morning = "T09:00"; // of a day that something is due on

// Schemas take 7.0 for an integer as well.
std::int64_t integer(json::value const& number) {
    return number.is_double() ? static_cast<std::int64_t>(number.get_double())
                              : number.to_number<std::int64_t>();
}

std::optional<base::sys_time> local_time(std::string_view text, base::time_zone const& zone) {
    auto const wall = base::local_from_iso8601(text);
    if (!wall) return std::nullopt;
    return base::sys_time(zone.at_local(*wall).first);
}

base::result<storage::task_due> read_due(json::value const& text, base::time_zone const& zone) {
    std::string_view const due_text = text.get_string();
    if (due_text.size() == base::date_size) {
        if (auto const at = local_time(std::string(due_text) + std::string(morning), zone))
            return storage::task_due{*at, true};
    } else if (auto const instant = base::from_iso8601(due_text)) {
        return storage::task_due{*instant, false};
    } else if (auto const at = local_time(due_text, zone)) {
        return storage::task_due{*at, false};
    }
    return error(errc::invalid, "a due date is such as 2026-12-24 or 2026-12-24T09:00:00+01:00");
}

// A day begins at midnight here.
base::result<base::sys_time> read_bound(json::value const& text, base::time_zone const& zone) {
    std::string_view const said = text.get_string();
    if (said.size() == base::date_size)
        if (auto const at = local_time(std::string(said) + "T00:00", zone)) return *at;
    auto const due = read_due(text, zone);
    if (!due) return due.error();
    return due->at;
}

std::optional<storage::task_priority> read_priority(json::object const& arguments) {
    auto const* name = arguments.if_contains("priority");
    if (!name) return std::nullopt;
    return storage::task_priority_from_string(std::string_view(name->get_string()));
}

// Lines and control characters would break what people are shown.
bool is_blank(char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
}

} // namespace

base::result<std::string> read_task_title(json::object const& arguments) {
    std::string_view const said = arguments.at("title").get_string();
    std::string title;
    for (char const c : said) {
        bool const blank = is_blank(c);
        if (blank && (title.empty() || title.back() == ' ')) continue;
        title += blank ? ' ' : c;
    }
    if (title.ends_with(' ')) title.pop_back();
    if (title.empty()) return error(errc::invalid, "the title is blank");
    return title;
}

storage::task_id read_task_id(json::object const& arguments) {
    return storage::task_id{integer(arguments.at("task_id"))};
}

base::result<storage::task_content> read_task_content(
    json::object const& arguments, base::time_zone const& zone
) {
    auto title = read_task_title(arguments);
    if (!title) return title.error();
    storage::task_content content;
    content.title = std::move(*title);
    content.priority = read_priority(arguments).value_or(content.priority);
    auto const* said = arguments.if_contains("due");
    if (!said) return content;
    auto const due = read_due(*said, zone);
    if (!due) return due.error();
    content.due = *due;
    return content;
}

base::result<storage::task_changes> read_task_changes(
    json::object const& arguments, base::time_zone const& zone
) {
    auto title = read_task_title(arguments);
    if (!title) return title.error();
    storage::task_changes changes;
    changes.title = std::move(*title);
    changes.priority = read_priority(arguments);
    auto const* due_member = arguments.if_contains("due");
    if (!due_member) return changes;
    changes.due.emplace();
    if (due_member->is_null()) return changes;
    auto const due = read_due(*due_member, zone);
    if (!due) return due.error();
    changes.due->emplace(*due);
    return changes;
}

base::result<storage::task_filter> read_task_filter(
    json::object const& arguments, base::time_zone const& zone
) {
    storage::task_filter filter;
    if (auto const* status = arguments.if_contains("status"))
        filter.status = storage::task_status_from_string(std::string_view(status->get_string()))
                            .value_or(filter.status);
    if (auto const* search = arguments.if_contains("search")) filter.search = search->get_string();
    filter.priority = read_priority(arguments);
    if (auto const* cursor = arguments.if_contains("cursor"))
        filter.after = storage::task_id{integer(*cursor)};
    if (auto const* limit = arguments.if_contains("limit"))
        filter.most = static_cast<int>(integer(*limit));
    auto const read = [&](std::string_view name, std::optional<base::sys_time>& into) {
        auto const* said = arguments.if_contains(name);
        if (!said) return base::result<void>();
        auto const bound = read_bound(*said, zone);
        if (!bound) return base::result<void>(bound.error());
        into = *bound;
        return base::result<void>();
    };
    if (auto const from = read("due_from", filter.due_from); !from) return from.error();
    if (auto const before = read("due_before", filter.due_before); !before) return before.error();
    return filter;
}

json::object to_json(storage::task_row const& task, base::time_zone const& zone) {
    json::object result{
        {"task_id", base::raw(task.id)},
        {"title", task.title},
        {"completed", task.completed_at.has_value()},
        {"priority", storage::to_string(task.priority)}};
    if (task.due) {
        auto const at = base::to_iso8601(task.due->at, zone);
        result["due"] = task.due->whole_day ? at.substr(0, base::date_size) : at;
    }
    result["created_at"] = base::to_iso8601(task.created_at, zone);
    if (task.completed_at) result["completed_at"] = base::to_iso8601(*task.completed_at, zone);
    return result;
}

json::object to_json(storage::task_page const& page, base::time_zone const& zone) {
    json::array tasks;
    for (auto const& task : page.tasks) tasks.push_back(to_json(task, zone));
    json::object shown{{"tasks", std::move(tasks)}, {"total", page.total}};
    if (page.more) shown["next"] = base::raw(page.tasks.back().id);
    return shown;
}

} // namespace postrider::agent::todo
