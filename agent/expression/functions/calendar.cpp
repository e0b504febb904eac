// What calendars say of instants: units of time, and the zones in which they begin.
#include "agent/expression/functions/families.hpp"
#include "agent/expression/time_arguments.hpp"
#include "agent/expression/values.hpp"
#include "base/time_zone.hpp"

#include <boost/json/string.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace postrider::agent::expressions {

namespace {

using namespace std::chrono;

// The same time of day, so many months later; at the end of a shorter month its last day.
base::local_seconds add_months(base::local_seconds wall, int count) {
    auto const day = floor<days>(wall);
    auto date = year_month_day{day} + months{count};
    if (!date.ok()) date = date.year() / date.month() / last;
    return local_days{date} + (wall - day);
}

template<int Months>
base::local_seconds start_of_months(base::local_seconds wall) {
    year_month_day const date{floor<days>(wall)};
    auto const month = (static_cast<unsigned>(date.month()) - 1) / Months * Months + 1;
    return local_days{date.year() / static_cast<int>(month) / 1};
}

base::local_seconds start_of_week(base::local_seconds wall) {
    auto const day = floor<days>(wall);
    return day - (weekday{day} - Monday);
}

template<class Unit>
base::local_seconds start_of_unit(base::local_seconds wall) {
    return floor<Unit>(wall);
}

struct calendar_unit {
    std::string_view name;
    base::local_seconds (*start)(base::local_seconds);
    seconds length{0}; // of units that are always as long
    int days = 0;      // of the others, by the calendar
    int months = 0;
};

constexpr std::array<calendar_unit, 8> calendar_units{{
    {"second", start_of_unit<seconds>, 1s},
    {"minute", start_of_unit<minutes>, 1min},
    {"hour", start_of_unit<hours>, 1h},
    {"day", start_of_unit<days>, 0s, 1},
    {"week", start_of_week, 0s, 7},
    {"month", start_of_months<1>, 0s, 0, 1},
    {"quarter", start_of_months<3>, 0s, 0, 3},
    {"year", start_of_months<12>, 0s, 0, 12},
}};

// "days" too.
fallible<calendar_unit> unit_argument(call const& call, std::size_t index) {
    auto const text = call.text(index);
    if (!text) return text.error();
    auto const name = text->substr(0, text->size() - (text->ends_with('s') ? 1 : 0));
    auto const place = std::ranges::find(calendar_units, name, &calendar_unit::name);
    if (place != calendar_units.end()) return *place;
    return failure{"a unit is one of: second, minute, hour, day, week, month, quarter, year"};
}

base::local_seconds wall_of(timestamp const& at, zone const& place) {
    return base::local_seconds{(at.seconds + place.offset_at(at.seconds)).time_since_epoch()};
}

fallible<operand> start_of(call const& call) {
    auto const at = instant_argument(call, 0);
    auto const unit = unit_argument(call, 1);
    if (!at) return at.error();
    if (!unit) return unit.error();
    auto const place = zone_argument(call, 2);
    if (!place) return place.error();
    return operand_of({place->at(unit->start(wall_of(*at, *place)))});
}

// So many units later, by the clocks of the zone.
fallible<operand> moved_by(call const& call, timestamp at, int sign) {
    constexpr double most = 4'000'000; // days, about: beyond any year here
    auto const count = call.number(1);
    auto const unit = unit_argument(call, 2);
    if (!count) return count.error();
    if (!unit) return unit.error();
    if (unit->length != 0s) {
        auto const later = add(at, sign * *count * static_cast<double>(unit->length.count()));
        if (!later) return later.error();
        return operand_of(*later);
    }
    if (std::trunc(*count) != *count)
        return failure{"the number of days, weeks, months or years must be whole"};
    if (std::fabs(*count) * (unit->days + 31 * unit->months) > most) return out_of_range();
    auto const place = zone_argument(call, 3);
    if (!place) return place.error();
    auto const units_later = sign * static_cast<int>(*count);
    auto const wall = add_months(wall_of(at, *place), unit->months * units_later) +
                      days{unit->days * units_later};
    return operand_of({place->at(wall), at.fraction});
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
