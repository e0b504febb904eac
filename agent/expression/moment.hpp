#pragma once
// An instant as calendars and clocks of a time zone show it. Pure.
#include "agent/expression/budget.hpp"
#include "base/clock.hpp"
#include "base/time_zone.hpp"

#include <optional>

namespace postrider::agent::expressions {

// A time zone: an IANA name, or a fixed offset such as +02:00.
class zone {
public:
    static fallible<zone> find(std::string_view name, budget& budget);

    std::string const& name() const noexcept { return name_; }
    std::chrono::seconds offset_at(base::sys_time instant) const;
    // What the clock shows at that time; of two the first, of none the one behind the jump.
    std::chrono::sys_seconds at(base::local_seconds wall) const;

private:
    zone(std::string name, std::optional<base::time_zone> named, std::chrono::seconds fixed)
        : name_(std::move(name)),
          named_(named),
          fixed_(fixed) {}

    std::string name_; // as it was named, or as the database spells it
    std::optional<base::time_zone> named_;
    std::chrono::seconds fixed_;
};

struct moment {
    base::sys_time instant;
    std::chrono::seconds offset{0};
    std::string zone; // as it was named

    int year() const noexcept;
    int month() const noexcept;       // from 1
    int day() const noexcept;         // from 1
    int day_of_year() const noexcept; // from 1
    int weekday() const noexcept;     // from Sunday, 0
    int hour() const noexcept;
    int minute() const noexcept;
    int second() const noexcept;
    int millisecond() const noexcept;
    int iso_week() const noexcept; // from 1

private:
    base::sys_time wall() const noexcept { return instant + offset; }
    std::chrono::year_month_day date() const noexcept;
    std::chrono::microseconds time_of_day() const noexcept;
};

moment moment_at(base::sys_time instant, zone const& place);

// %Y %m %d %e %H %I %M %S %p %y %j %V %a %A %b %B %F %T %z %Z %% as strftime has them in English,
// and %L for milliseconds; other characters stand for themselves. What is wrong with the pattern,
// or nothing. One without any of them is wrong.
std::optional<failure> append_formatted(
    bounded_text& text, moment const& at, std::string_view pattern
);

// The instant that a text in such a format means; what the format leaves out is 0, or the first
// day of 1970. A zone in the text counts more than the one here.
fallible<std::chrono::sys_seconds> read_formatted(
    std::string_view text, std::string_view pattern, zone const& place
);

} // namespace postrider::agent::expressions
