#pragma once
// Units of time by the calendar and the clocks of a zone: where one begins, and instants that are so
// many of them apart. Days, weeks and longer units are counted on the calendar: a day is a day, also
// where the clocks change. Pure.
#include "agent/expression/moment.hpp"
#include "agent/expression/time_values.hpp"

#include <string_view>

namespace postrider::agent::expressions {

struct calendar_unit {
    std::string_view name;
    base::local_seconds (*start)(base::local_seconds wall);
    std::chrono::seconds length{0}; // of units that are always as long
    int days = 0;                   // of the others, by the calendar
    int months = 0;
};

// second, minute, hour, day, week (from Monday), month, quarter or year, with or without an s. Null: none
// of them.
calendar_unit const* find_calendar_unit(std::string_view name) noexcept;

timestamp start_of_unit(timestamp at, calendar_unit const& unit, zone const& place);

// Calendar units come in whole numbers. At the end of a shorter month it is that month's last day.
fallible<timestamp> add_units(
    timestamp at, double count, calendar_unit const& unit, zone const& place
);

// Negative where `end` is earlier. Months, quarters and years are whole; other units have fractions.
double units_between(timestamp start, timestamp end, calendar_unit const& unit, zone const& place);

} // namespace postrider::agent::expressions
