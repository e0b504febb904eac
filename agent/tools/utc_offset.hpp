#pragma once
// Fixed offsets from UTC, read and written. Pure. Names of zones need a time zone database, which
// g++ 12's <chrono> has not.
#include "base/clock.hpp"
#include "base/error.hpp"

namespace postrider::agent {

// "", "UTC", "GMT", "Z", "+02:00", "-0530", "UTC+2", "GMT-03:30"; any case. invalid: anything else,
// or beyond ±14 h.
base::result<std::chrono::minutes> parse_utc_offset(std::string_view text);

// "2026-11-21T10:53:00+02:00", to the second; a zero offset is written Z.
std::string at_offset(base::sys_time t, std::chrono::minutes offset);

} // namespace postrider::agent
