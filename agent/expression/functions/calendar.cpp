// What calendars say of instants: units of time, and the zones in which they begin.
#include "agent/expression/calendar_unit.hpp"
#include "agent/expression/functions/families.hpp"
#include "agent/expression/time_arguments.hpp"
#include "agent/expression/values.hpp"

#include <boost/json/string.hpp>

#include <array>

namespace postrider::agent::expressions {

namespace {

// "days" too.
fallible<calendar_unit const*> unit_argument(call const& call, std::size_t index) {
    auto const text = call.text(index);
    if (!text) return text.error();
    if (auto const* unit = find_calendar_unit(*text)) return unit;
    return failure{"a unit is one of: second, minute, hour, day, week, month, quarter, year"};
}

fallible<operand> start_of(call const& call) {
    auto const at = instant_argument(call, 0);
    auto const unit = unit_argument(call, 1);
    if (!at) return at.error();
    if (!unit) return unit.error();
    auto const place = zone_argument(call, 2);
    if (!place) return place.error();
    return operand_of(start_of_unit(*at, **unit, *place));
}

// So many units later, by the clocks of the zone.
fallible<operand> moved_by(call const& call, timestamp at, int sign) {
    auto const count = call.number(1);
    auto const unit = unit_argument(call, 2);
    if (!count) return count.error();
    if (!unit) return unit.error();
    auto const place = zone_argument(call, 3);
    if (!place) return place.error();
    auto const later = add_units(at, sign * *count, **unit, *place);
    if (!later) return later.error();
    return operand_of(*later);
}

template<int Sign>
fallible<operand> date_shifted(call const& call) {
    auto const at = instant_argument(call, 0);
    if (!at) return at.error();
    if (call.count() > 2) return moved_by(call, *at, Sign);
    auto const by = duration_argument(call, 1);
    if (!by) return by.error();
    auto const later = add(*at, Sign * *by);
    if (!later) return later.error();
    return operand_of(*later);
}

fallible<operand> until(call const& call) {
    auto const from = instant_argument(call, 0);
    auto const to = instant_argument(call, 1);
    if (!from) return from.error();
    if (!to) return to.error();
    return duration_operand(seconds_between(*from, *to));
}

fallible<operand> in_zone(call const& call) {
    auto const at = moment_argument(call, 0, 1);
    if (!at) return at.error();
    return text_operand(base::to_iso8601(at->instant, at->offset));
}

constexpr std::array calendar_functions{
    function{"inZone", 2, 2, in_zone, R"doc(the instant in the local time of a zone
$now.inZone("Europe/Berlin") → "2026-11-21T16:30:00+01:00")doc"},
    function{
        "minus",
        2,
        4,
        date_shifted<-1>,
        R"doc(the instant that is earlier by a duration or by a number of units
$now.minus(duration("1d")) → "2026-11-20T15:30:00Z"
$now.minus(1, "month") → "2026-10-21T15:30:00Z")doc"},
    function{
        "plus",
        2,
        4,
        date_shifted<1>,
        R"doc(the instant that is later by a duration or by a number of units, in UTC or an optional time zone
$now.plus(duration("1d")) → "2026-11-22T15:30:00Z"
"2026-01-31T00:00:00Z".plus(1, "month") → "2026-02-28T00:00:00Z"
"2026-10-24T10:00:00Z".plus(1, "day", "Europe/Berlin") → "2026-10-25T11:00:00Z")doc"},
    function{
        "startOf",
        2,
        3,
        start_of,
        R"doc(the start of its second, minute, hour, day, week (from Monday), month, quarter or year
$now.startOf("week") → "2026-11-16T00:00:00Z"
$now.startOf("day", "Europe/Berlin") → "2026-11-20T23:00:00Z")doc"},
    function{"until", 2, 2, until, R"doc(the duration until another instant
$now.until("2026-11-21T15:30:02.5Z") → 2.5)doc"},
};

} // namespace

function_family const calendar_family{"Calendar", calendar_functions};

} // namespace postrider::agent::expressions
