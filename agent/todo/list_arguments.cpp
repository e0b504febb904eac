#include "agent/todo/list_arguments.hpp"

#include <fmt/format.h>

namespace postrider::agent::todo {

namespace json = boost::json;

namespace {

using std::chrono::days;

using local_day = std::chrono::local_days;

std::string day_text(local_day day) {
    std::chrono::year_month_day const date(day);
    return fmt::format(
        "{:04}-{:02}-{:02}",
        static_cast<int>(date.year()),
        static_cast<unsigned>(date.month()),
        static_cast<unsigned>(date.day())
    );
}

// Of the next seven days, today among them: to the end of Sunday.
local_day week_end(local_day today) {
    std::chrono::weekday const weekday(today);
    return today + days(8 - static_cast<int>(weekday.iso_encoding()));
}

void add_days(json::object& arguments, local_day from, local_day before) {
    arguments["due_from"] = day_text(from);
    arguments["due_before"] = day_text(before);
}

} // namespace

std::string due_argument(due_time const& due, base::time_zone const& zone) {
    auto text = base::to_iso8601(due.at, zone);
    if (due.whole_day) text.resize(base::date_size);
    return text;
}

std::string shifted_due(
    std::string_view due, due_shift shift, base::sys_time now, base::time_zone const& zone
) {
    constexpr std::string_view morning = "T09:00";
    bool const by_days = shift.length % days(1) == std::chrono::seconds(0);
    bool whole_day = due.empty() ? by_days : due.size() == base::date_size;
    auto start = now;
    if (whole_day && !due.empty())
        start = zone.at_local(*base::local_from_iso8601(std::string(due).append(morning))).first;
    else if (auto const at = base::from_iso8601(due))
        start = *at;
    auto const wall = zone.to_local(start);
    auto const day = std::chrono::floor<days>(wall);
    std::chrono::year_month_day date(day);
    date += std::chrono::months(shift.months);
    if (!date.ok()) date = date.year() / date.month() / std::chrono::last;
    auto later = base::local_seconds(local_day(date)) + (wall - day);
    if (by_days) later += shift.length;
    base::sys_time at = zone.at_local(later).first;
    if (!by_days) at += shift.length;
    return due_argument({at, whole_day && by_days}, zone);
}

json::object creation_arguments(intent const& intent, base::time_zone const& zone) {
    json::object arguments{{"title", intent.title}};
    if (intent.due) arguments["due"] = due_argument(*intent.due, zone);
    if (intent.urgency) arguments["priority"] = to_string(*intent.urgency);
    return arguments;
}

json::object list_arguments(intent const& intent, base::sys_time now, base::time_zone const& zone) {
    json::object arguments;
    auto const today = std::chrono::floor<days>(zone.to_local(now));
    switch (intent.filter) {
    case list_filter::all:
        break;
    case list_filter::open:
    case list_filter::completed:
    case list_filter::overdue:
        arguments["status"] = to_string(intent.filter);
        break;
    case list_filter::today:
        add_days(arguments, today, today + days(1));
        break;
    case list_filter::tomorrow:
        add_days(arguments, today + days(1), today + days(2));
        break;
    case list_filter::this_week:
        add_days(arguments, today, week_end(today));
        break;
    case list_filter::high:
        arguments["priority"] = to_string(priority::high);
        break;
    }
    if (intent.days && intent.days->from) arguments["due_from"] = day_text(*intent.days->from);
    if (intent.days && intent.days->before)
        arguments["due_before"] = day_text(*intent.days->before);
    if (!intent.search.empty()) arguments["search"] = intent.search;
    return arguments;
}

std::string empty_list_text(intent const& intent, replies const& words) {
    if (!intent.search.empty()) return in_words(words.none_found, intent.search);
    if (intent.days) return words.none_then;
    auto const none = [&] {
        switch (intent.filter) {
        case list_filter::all:
            return words.empty_list;
        case list_filter::today:
            return words.none_today;
        case list_filter::tomorrow:
            return words.none_tomorrow;
        case list_filter::this_week:
            return words.none_this_week;
        case list_filter::high:
            return words.none_high;
        case list_filter::open:
            return words.none_open;
        case list_filter::completed:
            return words.none_completed;
        case list_filter::overdue:
            return words.none_overdue;
        }
        return words.empty_list;
    };
    return std::string(none());
}

} // namespace postrider::agent::todo
