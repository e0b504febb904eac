#include "agent/language/request.hpp"

#include "base/names.hpp"

namespace postrider::agent::language {

namespace {

constexpr base::names<intent::kind, 10> action_names{{
    {intent::kind::unknown, "unknown"},
    {intent::kind::create, "create"},
    {intent::kind::get, "get"},
    {intent::kind::list, "list"},
    {intent::kind::update, "update"},
    {intent::kind::complete, "complete"},
    {intent::kind::remove, "delete"},
    {intent::kind::help, "help"},
    {intent::kind::greeting, "greeting"},
    {intent::kind::thanks, "thanks"},
}};

constexpr base::names<list_filter, 8> filter_names{{
    {list_filter::all, "all"},
    {list_filter::open, "open"},
    {list_filter::completed, "completed"},
    {list_filter::overdue, "overdue"},
    {list_filter::today, "today"},
    {list_filter::tomorrow, "tomorrow"},
    {list_filter::this_week, "this_week"},
    {list_filter::high, "high"},
}};

constexpr base::names<priority, 3> priority_names{{
    {priority::low, "low"},
    {priority::medium, "medium"},
    {priority::high, "high"},
}};

} // namespace

std::string_view to_string(intent::kind action) noexcept {
    return base::name_of(action_names, action);
}

std::string_view to_string(list_filter filter) noexcept {
    return base::name_of(filter_names, filter);
}

std::string_view to_string(priority urgency) noexcept {
    return base::name_of(priority_names, urgency);
}

std::optional<intent::kind> action_named(std::string_view name) noexcept {
    return base::named(action_names, name);
}

std::optional<list_filter> filter_named(std::string_view name) noexcept {
    return base::named(filter_names, name);
}

std::optional<priority> priority_named(std::string_view name) noexcept {
    return base::named(priority_names, name);
}

bool renames(intent const& intent) noexcept {
    return intent.action == intent::kind::update &&
           (!intent.title.empty() ||
            !(intent.due || intent.due_passed || intent.shift || intent.urgency));
}

bool mutates(intent::kind action) noexcept {
    switch (action) {
    case intent::kind::create:
    case intent::kind::update:
    case intent::kind::complete:
    case intent::kind::remove:
        return true;
    default:
        return false;
    }
}

} // namespace postrider::agent::language
