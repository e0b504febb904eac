#include "agent/todo/time_expression.hpp"

#include "agent/todo/reference.hpp"
#include "agent/todo/time_parser.hpp"
#include "agent/todo/time_token.hpp"

#include <algorithm>

namespace postrider::agent::todo {

namespace {

using namespace std::chrono;

constexpr int morning_minutes = 9 * 60; // at which people are reminded of a day
constexpr int evening = 18 * 60;
constexpr int last_minute = 24 * 60 - 1;

// "at 5" is hardly before this hour, where the clock has twelve.
constexpr int first_waking_hour = 7;

int minutes_since_midnight(time_parts const& parts, bool twelve_hours) {
    auto minutes = parts.minutes.value_or(parts.part.value_or(morning_minutes));
    if (!parts.minutes) return minutes;
    auto const hour = minutes / 60;
    if (parts.before_noon) return hour == 12 ? minutes - 12 * 60 : minutes;
    if (parts.after_noon) return hour < 12 ? minutes + 12 * 60 : minutes;
    if (parts.part) return *parts.part >= 12 * 60 && hour < 12 ? minutes + 12 * 60 : minutes;
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

std::optional<local_days> day_of(time_parts const& parts, local_days today) {
    if (parts.month) {
        auto const this_year = year_month_day(today).year();
        auto const year = parts.year ? std::chrono::year(*parts.year) : this_year;
        year_month_day const date{year, month(*parts.month), day(*parts.month_day)};
        if (!date.ok() || (parts.year && (*parts.year < 1970 || *parts.year > 2200)))
            return std::nullopt;
        if (!parts.year && local_days(date) < today) return local_days(clamped(date + years(1)));
        return local_days(date);
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

} // namespace

std::optional<time_reading> read_time(
    compiled_language const& language, passage words, wall_clock const& clock
) {
    auto const parts = parse_time(language, words);
    if (!parts) return std::nullopt;
    if (parts->span && parts->exact_span && !parts->minutes) {
        auto const moment = moment_of(*parts, clock);
        if (moment <= clock.now) return time_reading{{}, true}; // "in 0 minutes"
        return time_reading{due_time{moment, false}};
    }

    auto const today = floor<days>(clock.zone.to_local(clock.now));
    auto const date = day_of(*parts, today);
    if (!date) return std::nullopt;
    bool const whole_day = !parts->minutes && !parts->part;
    bool const dated =
        parts->days || parts->weekday || parts->month || parts->span || parts->span_months;
    auto const at = [&](local_days day, int minutes) {
        auto const wall = base::local_seconds(day) + std::chrono::minutes(minutes);
        return base::sys_time(clock.zone.at_local(wall).first);
    };
    auto const minutes = minutes_since_midnight(*parts, language.times.twelve_hours);
    due_time due{at(*date, minutes), whole_day};
    if (whole_day && *date == today && due.at <= clock.now) due.at = at(today, evening);
    if (whole_day && *date == today && due.at <= clock.now) due.at = at(today, last_minute);
    if (due.at <= clock.now && !dated) due.at = at(*date + days(1), minutes);
    if (due.at <= clock.now && !(whole_day && *date == today)) return time_reading{{}, true};
    return time_reading{due};
}

namespace {

class unread_times {
public:
    unread_times(compiled_language const& language, passage words, wall_clock const& clock)
        : language_(language),
          times_(language.times),
          words_(words),
          clock_(clock) {}

    bool any(bool alone) const {
        for (std::size_t at = 0; at < words_.size(); ++at) {
            if (words_[at].quoted) continue;
            if (begins_unread_span(at, alone)) return true;
            if ((alone || is_led(at)) && (is_no_time(at) || begins_no_day(at))) return true;
            if (begins_no_hour(at)) return true;
        }
        return false;
    }

private:
    word_span behind(std::size_t at) const { return words_.numbers().subspan(at); }

    // "on", "at", "due by" stand before it.
    bool is_led(std::size_t at) const {
        auto const before = words_.numbers().first(at);
        return times_.on.at_end(before).words > 0 || times_.at.at_end(before).words > 0;
    }

    // "25:00", "2027-02-30"; "5/6", which may be either day.
    bool is_no_time(std::size_t at) const {
        auto const& text = words_[at].text;
        auto const token = read_time_token(text);
        if (!token) return has_form_of_time(text);
        return token->month_may_lead && times_.months_may_lead && (token->has_year || is_led(at));
    }

    // "30 February": a day of a month, and there is none.
    bool begins_no_day(std::size_t at) const {
        constexpr std::size_t longest = 4; // "29th of February 2027"
        auto const is_month = [&](std::size_t place) {
            return place < words_.size() && times_.months.at_begin(behind(place)).words > 0;
        };
        // "31st of April"
        auto const month =
            at + 1 + (at + 1 < words_.size() ? times_.on.at_begin(behind(at + 1)).words : 0);
        if (!is_month(at) && !is_month(month)) return false;
        if (is_month(month) && is_number(at, 32, 99)) return true;
        bool named = false;
        for (std::size_t count = 2; count <= std::min(longest, words_.size() - at); ++count) {
            auto const part = words_.part(at, at + count);
            auto const parts = parse_time(language_, part);
            if (!parts || !parts->month) continue;
            named = true;
            if (read_time(language_, part, clock_)) return false;
        }
        return named;
    }

    // "at 25 o'clock"
    bool begins_no_hour(std::size_t at) const {
        if (times_.at.at_end(words_.numbers().first(at)).words == 0 || !is_number(at, 25, 99))
            return false;
        auto const mark = behind(at + 1);
        return times_.hours.at_begin(mark).words > 0 ||
               times_.before_noon.at_begin(mark).words > 0 ||
               times_.after_noon.at_begin(mark).words > 0;
    }

    // "in 5000 hours", and "in 2 hours or so" where no other time is said.
    bool begins_unread_span(std::size_t at, bool alone) const {
        constexpr std::size_t longest = 6;
        auto const within = times_.within.at_begin(behind(at)).words;
        if (within == 0 || at + within >= words_.size()) return false;
        auto const first = at + within;
        auto const& text = words_[first].text;
        bool const counts = (!text.empty() && text.front() >= '0' && text.front() <= '9') ||
                            language_.numbers.at_begin(behind(first)).words > 0;
        auto const named = [&](std::size_t place) {
            return place < words_.size() && (times_.units.at_begin(behind(place)).words > 0 ||
                                             times_.seconds.at_begin(behind(place)).words > 0);
        };
        bool const is_span =
            read_span_token(text).has_value() || (counts && (named(first + 1) || named(first + 2)));
        if (!is_span || alone) return is_span;
        for (auto count = within + 1; count <= std::min(longest, words_.size() - at); ++count)
            if (read_time(language_, words_.part(at, at + count), clock_)) return false;
        return true;
    }

    bool is_number(std::size_t at, std::int64_t least, std::int64_t most) const {
        auto const number = number_of(language_, words_.part(at, at + 1));
        return number && *number >= least && *number <= most;
    }

    compiled_language const& language_;
    time_phrases const& times_;
    passage words_;
    wall_clock const& clock_;
};

} // namespace

bool holds_unread_time(
    compiled_language const& language, passage words, wall_clock const& clock, bool alone
) {
    return unread_times(language, words, clock).any(alone);
}

} // namespace postrider::agent::todo
