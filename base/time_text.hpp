#pragma once
// A point in time as people write it in commands and requests. One parser for all of them. Pure.
#include "base/time_zone.hpp"

namespace postrider::base {

// For help texts and errors: what time_from_text() accepts.
inline constexpr std::string_view time_examples =
    "\"2h ago\", \"yesterday 14:00\", 2026-11-21, \"2026-11-21 14:00\" or "
    "2026-11-21T14:00:00+01:00";

// "now"; "2h ago", "two hours ago", "half an hour ago", "1.5h ago" or "2h" (before now), "in 2h" (after now), where a month is
// 30 days; "today", "yesterday", "tomorrow" or "last monday" with or without a time, which may be "morning" (6:00),
// "afternoon" or "noon" (12:00) or "evening" (18:00); "this morning"; "14:00" or "2pm" (today); a date; a date and time with or without a zone
// or an offset. What has no zone is of `zone`; a date without a time is its midnight. A skipped time
// is right after the gap, and a repeated time is the first one.
// invalid: the text is none of these. The detail quotes it and says what is accepted.
result<sys_time> time_from_text(std::string_view text, sys_time now, time_zone const& zone);
// The same in UTC.
result<sys_time> time_from_text(std::string_view text, sys_time now);

} // namespace postrider::base
