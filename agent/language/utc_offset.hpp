#pragma once
// Fixed offsets from UTC, as people write them. Pure. Zones by name: base/time_zone.hpp.
#include "base/clock.hpp"
#include "base/error.hpp"

namespace postrider::agent {

// "", "UTC", "GMT", "Z", "+02:00", "-0530", "UTC+2", "GMT-03:30"; any case. invalid: anything else,
// or beyond ±14 h.
base::result<std::chrono::minutes> parse_utc_offset(std::string_view text);

} // namespace postrider::agent
