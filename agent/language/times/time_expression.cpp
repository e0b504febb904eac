#include "agent/language/times/time_expression.hpp"

#include "agent/language/times/time_parser.hpp"

namespace postrider::agent::language {

namespace {

using namespace std::chrono;

constexpr int morning_minutes = 9 * 60; // at which people are reminded of a day
constexpr int evening = 18 * 60;
constexpr int last_minute = 24 * 60 - 1;

// "at 5" is hardly before this hour, where the clock has twelve.
constexpr int first_waking_hour = 7;

constexpr int first_of_night = 20 * 60;
constexpr int dawn = 5; // an hour

int minutes_since_midnight(time_parts const& parts, bool twelve_hours) {
    auto minutes = parts.minutes.value_or(parts.part.value_or(morning_minutes));
    if (!parts.minutes) return minutes;
    auto const hour = minutes / 60;
    if (parts.before_noon) return hour == 12 ? minutes - 12 * 60 : minutes;
    if (parts.after_noon) return hour < 12 ? minutes + 12 * 60 : minutes;
    if (parts.part) {
        // "12 at night" ends the day, and "3 at night" is before dawn.
        bool const at_night = *parts.part >= first_of_night;
        if (at_night && hour == 12) return minutes + 12 * 60;
        if (at_night && hour < dawn) return minutes;
        return *parts.part >= 12 * 60 && hour < 12 ? minutes + 12 * 60 : minutes;
    }
    if (twelve_hours && !parts.names_half && hour < first_waking_hour) return minutes + 12 * 60;
    return minutes;
}

year_month_day clamped(year_month_day date) {
    return date.ok() ? date : year_month_day(date.year() / date.month() / last);
}

// "in 2 months 10 days": the months go first, by the calendar.
local_days months_after(local_days day, time_parts const& parts) {
    auto const count = std::chrono::months(parts.span_months.value_or(0));
    return local_days(clamped(year_month_day(day) + count));
}

// "in 2 hours", "in 1 month 2 hours": the time of day is that of now.
base::sys_time moment_of(time_parts const& parts, wall_clock const& clock) {
    if (!parts.span_months) return clock.now + *parts.span;
    auto const wall = clock.zone.to_local(clock.now);
    auto const today = floor<days>(wall);
    auto const later = base::local_seconds(months_after(today, parts)) + (wall - today);
    return base::sys_time(clock.zone.at_local(later).first) + *parts.span;
}

// The first such day that there is, today or later: 29 February, the 31st. Nothing: 30 February.
std::optional<local_days> next_of(year_month_day date, auto step, local_days today) {
    constexpr int most_steps = 8;
    for (int i = 0; i <= most_steps; ++i, date += step)
        if (date.ok() && local_days(date) >= today) return local_days(date);
    return std::nullopt;
}

std::optional<local_days> day_of(time_parts const& parts, local_days today) {
    if (parts.month) {
        auto const this_year = year_month_day(today).year();
        auto const year = parts.year ? std::chrono::year(*parts.year) : this_year;
        year_month_day const date{year, month(*parts.month), day(*parts.month_day)};
        if (!parts.year) return next_of(date, years(1), today);
        if (!date.ok() || *parts.year < 1970 || *parts.year > 2200) return std::nullopt;
        return local_days(date);
    }
    if (parts.month_day) {
        year_month_day const now(today);
        return next_of({now.year(), now.month(), day(*parts.month_day)}, months(1), today);
    }
    if (parts.week && parts.weekday) {
        auto const monday = today - (weekday(today) - Monday);
        return monday + days(7 * *parts.week + *parts.weekday);
    }
    if (parts.span || parts.span_months)
        return months_after(today, parts) + floor<days>(parts.span.value_or(seconds(0)));
    if (parts.days) return today + days(*parts.days);
    if (parts.weekday) {
        auto const ahead = weekday(unsigned(*parts.weekday + 1) % 7) - weekday(today);
        return today + (ahead == days(0) ? days(7) : ahead);
    }
    return today;
}

std::optional<time_reading> reading_of(
    compiled_language const& language,
    std::optional<time_parts> const& parts,
    wall_clock const& clock
) {
    if (!parts) return std::nullopt;
    if (parts->span && parts->exact_span && !parts->minutes) {
        auto const moment = moment_of(*parts, clock);
        if (moment <= clock.now) return time_reading{{}, true, true}; // "in 0 minutes"
        return time_reading{due_time{moment, false}, false, true};
    }

    auto const today = floor<days>(clock.zone.to_local(clock.now));
    auto const date = day_of(*parts, today);
    if (!date) return std::nullopt;
    // "friday 5 December", which is a saturday
    bool const numbered = parts->month_day || parts->days;
    if (parts->weekday && numbered && weekday(*date).iso_encoding() != *parts->weekday + 1u)
        return std::nullopt;
    bool const whole_day = !parts->minutes && !parts->part;
    bool const dated = names_day(*parts);
    auto const at = [&](local_days day, int minutes) {
        auto const wall = base::local_seconds(day) + std::chrono::minutes(minutes);
        return base::sys_time(clock.zone.at_local(wall).first);
    };
    auto const minutes = minutes_since_midnight(*parts, language.times.twelve_hours);
    due_time due{at(*date, minutes), whole_day};
    if (whole_day && *date == today && due.at <= clock.now) due.at = at(today, evening);
    if (whole_day && *date == today && due.at <= clock.now) due.at = at(today, last_minute);
    if (due.at <= clock.now && !dated) due.at = at(*date + days(1), minutes);
    if (due.at <= clock.now && !(whole_day && *date == today)) return time_reading{{}, true, dated};
    return time_reading{
        due,
        false,
        dated,
        !dated || (parts->month_day && !parts->month),
        !parts->minutes,
        parts->is_bare};
}

// A day and what is of a day: "tomorrow … at 9". Nothing: they do not complete each other.
std::optional<time_parts> day_with_hour(time_parts day, time_parts const& hour) {
    // "today … tonight"
    bool const is_same_day = day.days && day.days == hour.days && !hour.weekday && !hour.month_day;
    if ((names_day(hour) || day.minutes) && !is_same_day) return std::nullopt;
    if (day.exact_span || (day.part && hour.part) || (day.minutes && hour.minutes))
        return std::nullopt;
    if (hour.part) day.part = hour.part;
    if (hour.minutes) day.minutes = hour.minutes;
    day.before_noon |= hour.before_noon;
    day.after_noon |= hour.after_noon;
    day.names_half |= hour.names_half;
    return day;
}

} // namespace

std::optional<time_reading> read_time(
    compiled_language const& language, passage words, wall_clock const& clock, bool led
) {
    return reading_of(language, parse_time(language, words, led), clock);
}

std::optional<time_reading> read_joined_time(
    compiled_language const& language,
    passage said,
    passage beside,
    wall_clock const& clock,
    bool led
) {
    auto const a = parse_time(language, said, led);
    auto const b = parse_time(language, beside);
    if (!a || !b) return std::nullopt;
    bool const day_behind = names_day(*b) || (!names_day(*a) && a->minutes);
    return reading_of(language, day_behind ? day_with_hour(*b, *a) : day_with_hour(*a, *b), clock);
}

} // namespace postrider::agent::language
