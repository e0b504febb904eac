#pragma once
// The instant that somebody means by a text: a date and time in ISO 8601, or words such as "in 10
// minutes" or "tomorrow at 9" in the languages of agent/language. Pure: the time and the zone come in.
#include "base/time_zone.hpp"

#include <string_view>

namespace postrider::agent {

inline constexpr std::chrono::years furthest_reminder{5};

// Always later than now. A wall-clock time that is skipped means right after the gap, one that comes
// twice its first occurrence. invalid: not understood, not later than now, or too far away; the
// detail says what to write.
base::result<base::sys_time> read_moment(
    std::string_view text, base::sys_time now, base::time_zone const& zone
);

} // namespace postrider::agent
