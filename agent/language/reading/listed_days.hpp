#pragma once
// Which days a list is asked for: "friday", "next week", "between monday and friday", "by the 5th". Private to
// agent/language. Pure; linear in the words, of which a few are read.
#include "agent/language/times/time_expression.hpp"

namespace postrider::agent::language {

// `time`: the words of the clause that say when. Sets the days, or the filter that means the same; in a clause about
// tasks what the words are about instead ("the tasks for Ann"); or else that they were not understood. What has no
// first day is of open tasks alone. False: the words speak of no time, and the clause means something else.
bool read_listed_days(
    compiled_language const& language,
    passage clause,
    passage time,
    wall_clock const& clock,
    intent& target
);

// Of a clause that is a list only where it says when: "friday's tasks". False: the words are not days, all of them.
bool read_days_before_list(
    compiled_language const& language, passage time, wall_clock const& clock, intent& target
);

} // namespace postrider::agent::language
