#include "base/cron.hpp"

#include "base/cron_parser.hpp"

namespace postrider::base {

namespace {

using std::chrono::days;
using std::chrono::local_days;
using std::chrono::seconds;
using std::chrono::weekday;
using std::chrono::year_month_day;

// Leap days are at most eight years apart, and in them a given weekday at most 40.
constexpr days horizon{40 * 366};

template<std::size_t N>
std::optional<int> first_from(std::bitset<N> const& set, int from) {
    for (auto n = static_cast<std::size_t>(from); n < N; ++n)
        if (set[n]) return static_cast<int>(n);
    return std::nullopt;
}

bool is_last_of_month(year_month_day const& date) {
    return date == year_month_day{date.year() / date.month() / std::chrono::last};
}

local_days first_of_next_month(year_month_day const& date) {
    auto const next = date.year() / date.month() + std::chrono::months{1};
    return local_days{next / 1};
}

} // namespace

result<cron> cron::parse(std::string_view text) {
    auto parsed = cron_parser(text).parse();
    if (parsed && !parsed->ever_matches())
        return error(
            errc::invalid, "cron: no month that is named has the day that is named: it never runs"
        );
    return parsed;
}

bool cron::ever_matches() const {
    if (either_day_ || last_day_) return true;
    constexpr int longest[] = {0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    auto const day = first_from(days_, 1);
    for (std::size_t month = 1; month < months_.size(); ++month)
        if (months_[month] && day && *day <= longest[month]) return true;
    return false;
}

bool cron::matches_day(year_month_day const& date, weekday day) const {
    if (!months_[static_cast<unsigned>(date.month())]) return false;
    bool const of_month =
        days_[static_cast<unsigned>(date.day())] || (last_day_ && is_last_of_month(date));
    bool const of_week = weekdays_[day.c_encoding()];
    return either_day_ ? of_month || of_week : of_month && of_week;
}

bool cron::matches(local_seconds wall) const {
    auto const day = std::chrono::floor<days>(wall);
    auto const time = wall - day;
    return matches_day(year_month_day{day}, weekday{day}) && first_time_of_day(time) == time;
}

std::optional<seconds> cron::first_time_of_day(seconds from) const {
    std::chrono::hh_mm_ss const start{from};
    auto const h0 = static_cast<int>(start.hours().count());
    auto const m0 = static_cast<int>(start.minutes().count());
    auto const s0 = static_cast<int>(start.seconds().count());
    for (auto h = first_from(hours_, h0); h; h = first_from(hours_, *h + 1)) {
        bool const same_hour = *h == h0;
        for (auto m = first_from(minutes_, same_hour ? m0 : 0); m;
             m = first_from(minutes_, *m + 1)) {
            bool const same_minute = same_hour && *m == m0;
            if (auto s = first_from(seconds_, same_minute ? s0 : 0))
                return std::chrono::hours{*h} + std::chrono::minutes{*m} + seconds{*s};
        }
    }
    return std::nullopt;
}

std::optional<local_seconds> cron::first_match(local_seconds from, local_seconds end) const {
    auto day = std::chrono::floor<days>(from);
    auto time = from - day;
    while (day + time < end) {
        year_month_day const date{day};
        if (!months_[static_cast<unsigned>(date.month())]) {
            day = first_of_next_month(date);
            time = seconds{0};
            continue;
        }
        if (matches_day(date, weekday{day}))
            if (auto found = first_time_of_day(time))
                return day + *found < end ? std::optional(day + *found) : std::nullopt;
        day += days{1};
        time = seconds{0};
    }
    return std::nullopt;
}

std::optional<sys_time> cron::next(sys_time after, time_zone const& zone) const {
    return by_real_time_ ? next_by_real_time(after, zone) : next_by_wall_clock(after, zone);
}

// Wall-clock times in order have instants in order, several the same in a gap. Those of a gap or of
// a doubled hour that are not after `after` are left behind in one step.
std::optional<sys_time> cron::next_by_wall_clock(sys_time after, time_zone const& zone) const {
    auto from = zone.to_local(after) + seconds{1};
    auto const end = from + horizon;
    while (auto wall = first_match(from, end)) {
        auto const answer = zone.at_local(*wall);
        if (answer.first > after) return answer.first;
        from = answer.behind;
    }
    return std::nullopt;
}

std::optional<sys_time> cron::next_by_real_time(sys_time after, time_zone const& zone) const {
    auto from = std::chrono::floor<seconds>(after) + seconds{1};
    auto const end = from + horizon;
    while (from < end) {
        auto const period = zone.period_at(from);
        auto const to_wall = [&](std::chrono::sys_seconds t) {
            return local_seconds{(t + period.offset).time_since_epoch()};
        };
        auto const last = std::min(period.end, end);
        if (auto wall = first_match(to_wall(from), to_wall(last)))
            return std::chrono::sys_seconds{wall->time_since_epoch()} - period.offset;
        from = last;
    }
    return std::nullopt;
}

} // namespace postrider::base
