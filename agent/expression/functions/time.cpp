// Functions of time. An instant is a text in ISO 8601 with its zone, a duration a number of
// seconds.
#include "agent/expression/functions.hpp"
#include "agent/expression/moment.hpp"
#include "agent/expression/values.hpp"
#include "base/time_zone.hpp"

#include <boost/json/string.hpp>

#include <array>
#include <cmath>

namespace postrider::agent::expressions {

namespace {

using std::chrono::microseconds;

// Seconds between the years 0 and 9999.
constexpr double longest = 4e11;

fallible<base::sys_time> instant(call const& given, std::size_t index) {
    auto const text = given.text(index);
    if (!text) return text.error();
    if (auto const known = base::from_iso8601(*text)) return *known;
    return failure{"the string is no instant; one is such as 2026-11-21T08:53:00Z"};
}

fallible<microseconds> span(call const& given, std::size_t index) {
    auto const seconds = given.number(index);
    if (!seconds) return seconds.error();
    if (std::fabs(*seconds) > longest) return failure{"the time lies beyond the year 9999"};
    return microseconds{std::llround(*seconds * 1e6)};
}

fallible<operand> written(base::sys_time t) {
    if (t < base::from_iso8601("0000-01-01T00:00:00Z") ||
        t > base::from_iso8601("9999-12-31T23:59:59Z"))
        return failure{"the time lies before the year 0 or beyond the year 9999"};
    return text_operand(base::to_iso8601(t));
}

fallible<operand> timestamp(call const& given) {
    if (given[0].is_number()) {
        auto const since_1970 = span(given, 0);
        if (!since_1970) return since_1970.error();
        return written(base::sys_time{*since_1970});
    }
    auto const t = instant(given, 0);
    if (!t) return t.error();
    return written(*t);
}

fallible<operand> duration(call const& given) {
    auto const text = given.text(0);
    if (!text) return text.error();
    bool const negative = text->starts_with('-');
    auto const known = base::duration_from_text(text->substr(negative ? 1 : 0));
    if (!known) return failure{"the string is no duration; one is such as 1h30m, 90s or 250ms"};
    auto const seconds = std::chrono::duration<double>(*known).count();
    return number_value(negative ? -seconds : seconds);
}

fallible<operand> plus(call const& given) {
    auto const t = instant(given, 0);
    if (!t) return t.error();
    auto const by = span(given, 1);
    if (!by) return by.error();
    return written(*t + *by);
}

// In seconds.
fallible<operand> until(call const& given) {
    auto const from = instant(given, 0);
    if (!from) return from.error();
    auto const to = instant(given, 1);
    if (!to) return to.error();
    return number_value(std::chrono::duration<double>(*to - *from).count());
}

fallible<operand> unix_seconds(call const& given) {
    auto const t = instant(given, 0);
    if (!t) return t.error();
    return number_value(std::chrono::duration<double>(t->time_since_epoch()).count());
}

// The instant as clocks show it in the zone that the argument names; without one, in UTC.
fallible<moment> shown(call const& given, std::size_t zone) {
    auto const t = instant(given, 0);
    if (!t) return t.error();
    auto const name = given.count() > zone ? given.text(zone) : std::string_view("UTC");
    if (!name) return name.error();
    return moment_at(*t, *name, given.budget);
}

template<int (moment::*Part)() const noexcept, int First = 0>
fallible<operand> part(call const& given) {
    auto const at = shown(given, 1);
    if (!at) return at.error();
    return json::value(((*at).*Part)() - First);
}

fallible<operand> in_zone(call const& given) {
    auto const at = shown(given, 1);
    if (!at) return at.error();
    return text_operand(base::to_iso8601(at->instant, at->offset));
}

fallible<operand> format(call const& given) {
    auto const pattern = given.text(1);
    if (!pattern) return pattern.error();
    auto const at = shown(given, 2);
    if (!at) return at.error();
    bounded_text made{given.budget};
    if (auto wrong = append_formatted(made, *at, *pattern)) return std::move(*wrong);
    return std::move(made).finish();
}

// The names and the numbering are CEL's: months, days of the week, of the month and of the year
// begin with 0; only getDate begins with 1.
constexpr std::array<function, 17> functions{{
    {"duration", 1, 1, duration},
    {"format", 2, 3, format},
    {"getDate", 1, 2, part<&moment::day>},
    {"getDayOfMonth", 1, 2, part<&moment::day, 1>},
    {"getDayOfWeek", 1, 2, part<&moment::weekday>},
    {"getDayOfYear", 1, 2, part<&moment::day_of_year, 1>},
    {"getFullYear", 1, 2, part<&moment::year>},
    {"getHours", 1, 2, part<&moment::hour>},
    {"getMilliseconds", 1, 2, part<&moment::millisecond>},
    {"getMinutes", 1, 2, part<&moment::minute>},
    {"getMonth", 1, 2, part<&moment::month, 1>},
    {"getSeconds", 1, 2, part<&moment::second>},
    {"inZone", 2, 2, in_zone},
    {"plus", 2, 2, plus},
    {"timestamp", 1, 1, timestamp},
    {"unixSeconds", 1, 1, unix_seconds},
    {"until", 2, 2, until},
}};

} // namespace

std::span<function const> time_functions() noexcept {
    return functions;
}

} // namespace postrider::agent::expressions
