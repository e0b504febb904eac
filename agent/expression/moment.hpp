#pragma once
// An instant as calendars and clocks of a time zone show it. Pure.
#include "agent/expression/budget.hpp"
#include "base/clock.hpp"

#include <optional>

namespace postrider::agent::expressions {

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

private:
    base::sys_time wall() const noexcept { return instant + offset; }
    std::chrono::year_month_day date() const noexcept;
    std::chrono::microseconds time_of_day() const noexcept;
};

// The zone is an IANA name or a fixed offset, such as +02:00.
fallible<moment> moment_at(base::sys_time instant, std::string_view zone, budget& budget);

// %Y %m %d %e %H %I %M %S %p %y %j %a %A %b %B %F %T %z %Z %% as strftime has them in English;
// other characters stand for themselves. What is wrong with the pattern, or nothing.
std::optional<failure> append_formatted(
    bounded_text& text, moment const& at, std::string_view pattern
);

} // namespace postrider::agent::expressions
