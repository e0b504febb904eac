#include "agent/expression/calendar_unit.hpp"

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
base::local_seconds start_of_span(base::local_seconds wall) {
    return floor<Unit>(wall);
}

constexpr std::array<calendar_unit, 8> calendar_units{{
    {"second", start_of_span<seconds>, 1s},
    {"minute", start_of_span<minutes>, 1min},
    {"hour", start_of_span<hours>, 1h},
    {"day", start_of_span<days>, 0s, 1},
    {"week", start_of_week, 0s, 7},
    {"month", start_of_months<1>, 0s, 0, 1},
    {"quarter", start_of_months<3>, 0s, 0, 3},
    {"year", start_of_months<12>, 0s, 0, 12},
}};

base::local_seconds wall_of(timestamp const& at, zone const& place) {
    return base::local_seconds{(at.seconds + place.offset_at(at.seconds)).time_since_epoch()};
}

// Those that are over: from the 31st of January to the 28th of February it is one, as add_months() counts.
int whole_months(base::local_seconds start, base::local_seconds end) {
    year_month_day const first{floor<days>(start)};
    year_month_day const last{floor<days>(end)};
    auto count =
        static_cast<int>((last.year() / last.month() - first.year() / first.month()).count());
    while (count > 0 && add_months(start, count) > end) --count;
    while (count < 0 && add_months(start, count) < end) ++count;
    return count;
}

} // namespace

calendar_unit const* find_calendar_unit(std::string_view name) noexcept {
    if (name.ends_with('s')) name.remove_suffix(1);
    auto const* const unit = std::ranges::find(calendar_units, name, &calendar_unit::name);
    return unit == calendar_units.end() ? nullptr : unit;
}

timestamp start_of_unit(timestamp at, calendar_unit const& unit, zone const& place) {
    return {place.at(unit.start(wall_of(at, place)))};
}

fallible<timestamp> add_units(
    timestamp at, double count, calendar_unit const& unit, zone const& place
) {
    constexpr double most = 4'000'000; // days, about: beyond any year here
    if (unit.length != 0s) return add(at, count * static_cast<double>(unit.length.count()));
    if (std::trunc(count) != count)
        return failure{"the number of days, weeks, months or years must be whole"};
    if (std::fabs(count) * (unit.days + 31 * unit.months) > most) return out_of_range();
    auto const units = static_cast<int>(count);
    auto const wall = add_months(wall_of(at, place), unit.months * units) + days{unit.days * units};
    return timestamp{place.at(wall), at.fraction};
}

double units_between(timestamp start, timestamp end, calendar_unit const& unit, zone const& place) {
    if (unit.length != 0s)
        return seconds_between(start, end) / static_cast<double>(unit.length.count());
    auto const first = wall_of(start, place);
    auto const last = wall_of(end, place);
    if (unit.months > 0) return whole_months(first, last) / unit.months;
    auto const fraction = duration<double>(end.fraction - start.fraction);
    return (duration<double>(last - first) + fraction) / duration<double>(days{unit.days});
}

} // namespace postrider::agent::expressions
