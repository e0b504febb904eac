// Instants, durations, and their parts.
#include "agent/expression/functions/families.hpp"
#include "agent/expression/moment.hpp"
#include "agent/expression/time_arguments.hpp"
#include "agent/expression/values.hpp"

#include <boost/json/string.hpp>

#include <array>
#include <cmath>

namespace postrider::agent::expressions {

namespace {

// A wall-clock time, to the minute or the second, or a date alone.
std::optional<base::local_seconds> read_local(std::string_view text) {
    constexpr std::size_t date_size = 10;
    if (text.size() == date_size) return base::local_from_iso8601(std::string(text) + "T00:00");
    return base::local_from_iso8601(text);
}

// The second argument is a format, or a zone for times without one of their own.
fallible<operand> timestamp_by(call const& call) {
    auto const text = call.text(0);
    auto const by = call.text(1);
    if (!text) return text.error();
    if (!by) return by.error();
    if (call.count() > 2 || by->find('%') != by->npos) {
        auto const place = zone_argument(call, 2);
        if (!place) return place.error();
        auto const read = read_formatted(*text, *by, *place);
        if (!read) return read.error();
        return operand_of({*read});
    }
    auto const place = zone_argument(call, 1);
    if (!place) return place.error();
    if (auto const wall = read_local(*text)) return operand_of({place->at(*wall)});
    auto const instant = instant_argument(call, 0);
    if (!instant) return instant.error();
    return operand_of(*instant);
}

fallible<operand> timestamp_function(call const& call) {
    if (call.count() > 1) return timestamp_by(call);
    if (!call[0].is_number()) {
        auto const instant = instant_argument(call, 0);
        if (!instant) return instant.error();
        return operand_of(*instant);
    }
    auto const since_1970 = add({}, call[0].to_number<double>());
    if (!since_1970) return since_1970.error();
    return operand_of(*since_1970);
}

fallible<operand> duration(call const& call) {
    auto const seconds = duration_argument(call, 0);
    if (!seconds) return seconds.error();
    return duration_operand(*seconds);
}

template<int PerSecond>
fallible<operand> unix_time(call const& call) {
    auto const instant = instant_argument(call, 0);
    if (!instant) return instant.error();
    return number_value(instant->since_1970() * PerSecond);
}

template<int (moment::*Part)() const noexcept, int First = 0>
fallible<operand> part(call const& call) {
    auto const at = moment_argument(call, 0, 1);
    if (!at) return at.error();
    return json::value(((*at).*Part)() - First);
}

// Of a duration it is all of it in whole units, as in CEL.
template<int (moment::*Part)() const noexcept, int Seconds, int PerSecond = 1>
fallible<operand> part_or_total(call const& call) {
    if (!call[0].is_number() || call.count() > 1) return part<Part>(call);
    return number_value(std::trunc(call[0].to_number<double>() * PerSecond / Seconds));
}

// The names and the numbering are CEL's: months, days of the week, of the month and of the year
// begin with 0; only getDate begins with 1.
constexpr std::array time_functions{
    function{
        "duration",
        1,
        1,
        duration,
        R"doc(the duration of numbers with `d`, `h`, `m`, `s`, `ms`, `us` or `ns`
duration("1h30m") → 5400
string(duration("1h30m")) → "5400s")doc"},
    function{"getDate", 1, 2, part<&moment::day>, R"doc(the day of the month, from 1
$now.getDate("+10:00") → 22)doc"},
    function{"getDayOfMonth", 1, 2, part<&moment::day, 1>, R"doc(the day of the month, from 0
$now.getDayOfMonth() → 20)doc"},
    function{"getDayOfWeek", 1, 2, part<&moment::weekday>, R"doc(the day of the week; Sunday is 0
$now.getDayOfWeek() → 6)doc"},
    function{"getDayOfYear", 1, 2, part<&moment::day_of_year, 1>, R"doc(the day of the year, from 0
$now.getDayOfYear() → 324)doc"},
    function{"getFullYear", 1, 2, part<&moment::year>, R"doc(the year
$now.getFullYear() → 2026)doc"},
    function{
        "getHours",
        1,
        2,
        part_or_total<&moment::hour, 3600>,
        R"doc(the hour; for a duration, its total hours
$now.getHours("Europe/Berlin") → 16
duration("1d2h").getHours() → 26)doc"},
    function{
        "getMilliseconds",
        1,
        2,
        part_or_total<&moment::millisecond, 1, 1000>,
        R"doc(the milliseconds of the second; for a duration, its total milliseconds
"2026-11-21T15:30:00.25Z".getMilliseconds() → 250)doc"},
    function{
        "getMinutes",
        1,
        2,
        part_or_total<&moment::minute, 60>,
        R"doc(the minute; for a duration, its total minutes
$now.getMinutes() → 30)doc"},
    function{"getMonth", 1, 2, part<&moment::month, 1>, R"doc(the month, from 0 to 11
$now.getMonth() → 10)doc"},
    function{
        "getSeconds",
        1,
        2,
        part_or_total<&moment::second, 1>,
        R"doc(the second; for a duration, its total seconds
$now.getSeconds() → 0)doc"},
    function{
        "timestamp",
        1,
        3,
        timestamp_function,
        R"doc(the instant in UTC; after the text, a format and a time zone are optional
timestamp("2026-11-21T16:30:00+01:00") → "2026-11-21T15:30:00Z"
timestamp("2026-11-21") → "2026-11-21T00:00:00Z"
timestamp("2026-11-21 16:30", "Europe/Berlin") → "2026-11-21T15:30:00Z"
timestamp("21.11.2026", "%d.%m.%Y") → "2026-11-21T00:00:00Z"
timestamp(0) → "1970-01-01T00:00:00Z"
timestamp("yesterday") → error: no instant)doc"},
    function{"unixMillis", 1, 1, unix_time<1000>, R"doc(the milliseconds since 1970
$now.unixMillis() → 1795275000000)doc"},
    function{"unixSeconds", 1, 1, unix_time<1>, R"doc(the seconds since 1970
$now.unixSeconds() → 1795275000)doc"},
};

} // namespace

function_family const time_family{"Time", time_functions};

} // namespace postrider::agent::expressions
