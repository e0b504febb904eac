#pragma once
// Times as people say them: "tomorrow at 9", "next friday", "in 2 hours", "on 24 December",
// "2026-12-24 18:00". Private to agent/language. Pure: what time it is, and where, is passed in.
//
// A day of the week is the next one after today, whether "next" stands before it or not; a date
// without a year is the next such day; a time without a day is the next such time. A day without a
// time means nine o'clock, or, when today's nine has passed, the evening. 24:00 is the end of its
// day. A number is a time only by its form, or by a word beside it: "18:30" behind "at" or a day, "5"
// behind "am". "5/6" has the day first; in a language where the month may be, it is not understood.
//
// "Wednesday of next week" is in the week from the coming Monday. "3.12" is a date behind a word for a day or before
// a full stop, and "18.30" an hour before a mark or beside a day: else they are a version or a price.
#include "agent/language/passage.hpp"
#include "agent/language/request.hpp"
#include "base/time_zone.hpp"

#include <optional>

namespace postrider::agent::language {

struct wall_clock {
    base::sys_time now;
    base::time_zone const& zone;
};

struct time_reading {
    std::optional<due_time> due; // nothing when it has passed
    bool passed = false;
    bool names_day = false;   // "at 9" does not
    bool lacks_month = false; // "on the 5th" does, and what names no day
    bool lacks_hour = false;  // "in the morning"
    bool is_bare = false;     // nothing but "18:30"
};

// Nothing: not all of the words are one time, or there is no such day. `led` as in parse_time().
std::optional<time_reading> read_time(
    compiled_language const& language, passage words, wall_clock const& clock, bool led = false
);

// Of two times that stand apart and complete each other: "tomorrow" and "at 9". Nothing: they do not.
std::optional<time_reading> read_joined_time(
    compiled_language const& language,
    passage said,
    passage beside,
    wall_clock const& clock,
    bool led
);

} // namespace postrider::agent::language
