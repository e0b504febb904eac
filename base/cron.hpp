#pragma once
// Recurring times written as cron expressions, and their next-time arithmetic. Pure.
//
//     minute hour day-of-month month day-of-week        0 9 * * mon-fri
//     second minute hour day-of-month month day-of-week */10 * * * * *
//
// Fields are lists of numbers, ranges (1-5), steps (*/15, 10-40/10) and * or ?; months and days of
// the week also by English names (jan, mon); Sunday is 0 and 7; L as day of the month is its last.
// @hourly, @daily (@midnight), @weekly, @monthly and @yearly (@annually) stand for whole
// expressions. As in Vixie's cron, a day matches when either of its two fields does, if neither
// begins with * or ?; else when both do.
//
// Daylight saving as in cronie: a wall-clock time that is skipped runs right after the gap, once
// however many were skipped; one that comes twice runs at its first occurrence only. A schedule
// whose minute or hour begins with * means an interval and goes by real time instead: nothing is
// made up for after a gap, and in a repeated hour it goes on running.
#include "base/time_zone.hpp"

#include <bitset>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::base {

class cron {
public:
    // invalid: the detail names the field, the column (from 1) and what is wrong. An expression
    // that can never match (30 February) is refused too.
    static result<cron> parse(std::string_view text);

    // The first time strictly after `after`; always on a whole second. Absent only when there is
    // none within 40 years. Looks at no more than that many days, whatever the expression.
    std::optional<sys_time> next(sys_time after, time_zone const& zone) const;

    // Whether the wall-clock time is one of the expression's, zones aside.
    bool matches(local_seconds wall) const;

    bool by_real_time() const noexcept { return by_real_time_; }

private:
    friend class cron_parser;

    bool matches_day(std::chrono::year_month_day const& date, std::chrono::weekday day) const;
    bool ever_matches() const;
    // The first matching wall-clock time at or after `from` and before `end`.
    std::optional<local_seconds> first_match(local_seconds from, local_seconds end) const;
    std::optional<std::chrono::seconds> first_time_of_day(std::chrono::seconds from) const;
    std::optional<sys_time> next_by_wall_clock(sys_time after, time_zone const& zone) const;
    std::optional<sys_time> next_by_real_time(sys_time after, time_zone const& zone) const;

    std::bitset<60> seconds_;
    std::bitset<60> minutes_;
    std::bitset<24> hours_;
    std::bitset<32> days_;    // 1–31
    std::bitset<13> months_;  // 1–12
    std::bitset<7> weekdays_; // 0 = Sunday
    bool last_day_ = false;
    bool either_day_ = false; // both day fields are restricted: one match is enough
    bool by_real_time_ = false;
};

} // namespace postrider::base
