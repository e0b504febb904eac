#pragma once
// Instants and durations as expressions have them. Pure.
//
// An instant is a text in ISO 8601, to the nanosecond; behind timestamp() it stands for an instant
// in all that is done with it. A duration is a number of seconds. Both are bounded as CEL bounds
// them: the years 1 to 9999.
#include "agent/expression/operand.hpp"
#include "base/clock.hpp"

#include <compare>

namespace postrider::agent::expressions {

struct timestamp {
    std::chrono::sys_seconds seconds;
    std::chrono::nanoseconds fraction{0}; // below a second

    base::sys_time instant() const noexcept {
        return seconds + std::chrono::floor<std::chrono::microseconds>(fraction);
    }
    double since_1970() const noexcept;

    friend auto operator<=>(timestamp const&, timestamp const&) = default;
};

// A text with a zone, or a date alone, which is its midnight in UTC. Nothing: it is no instant.
std::optional<timestamp> read_timestamp(std::string_view text);
// Of a text that is one.
std::optional<timestamp> timestamp_in(json::value const& value);

fallible<timestamp> add(timestamp moment, double seconds);
double seconds_between(timestamp start, timestamp end) noexcept;

// In seconds: whole or decimal numbers with d, h, m, s, ms, us or ns, such as -1h30m.
std::optional<double> read_duration(std::string_view text);
std::string write_duration(double seconds); // "5400s"

failure out_of_range();
// What an expression gives; a failure beyond the bounds.
fallible<operand> operand_of(timestamp result);
fallible<operand> duration_operand(double seconds);

} // namespace postrider::agent::expressions
