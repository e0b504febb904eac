#pragma once
// Words that belong to a time, and were not understood as part of one: then no time is set at all.
// Private to agent/language. Pure.
#include "agent/language/times/time_expression.hpp"

namespace postrider::agent::language {

// Some of the words are a time by their form, and none that is understood: "at 25:00", "on 30
// February", "in 5000 hours". `alone`: also where no "at" stands before it.
bool holds_unread_time(
    compiled_language const& language, passage words, wall_clock const& clock, bool alone
);

// The words end as a time does that is none by itself: "next month", "the last friday of December", "18:30".
bool ends_with_unread_time(compiled_language const& language, passage words);

// The words end as several hours do: "at 5 or 6".
bool ends_with_hours(compiled_language const& language, passage words);

// A day and its hour stand between other words: "dentist tomorrow at 9 with Tom".
bool holds_time_inside(compiled_language const& language, passage words, wall_clock const& clock);

// The rest of such a time does: "tomorrow" where it says no day, "at 5pm" where it says no hour.
bool holds_rest_inside(
    compiled_language const& language, passage words, time_reading const& reading
);

enum class neighbour {
    nothing,
    // It makes a thing of the time: "news since monday".
    topic,
    // A part of the time that was not understood: "next month | at 9", "two days | before friday".
    part,
};

// What stands before a time that was found, and behind one.
neighbour before_time(
    compiled_language const& language, passage words, passage time, time_reading const& reading
);
neighbour behind_time(
    compiled_language const& language, passage words, time_reading const& reading
);

} // namespace postrider::agent::language
