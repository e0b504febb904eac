#pragma once
// Stretches of days: "from 3 to 5 December", "friday to sunday". A task is due on one day, so that no time is taken
// from them. Private to agent/language. Pure.
#include "agent/language/passage.hpp"

namespace postrider::agent::language {

// "from 3 | to 5 December", "viernes al | domingo", "3.12. - | 5.12.": the time is the last day of a stretch, which
// begins in the words before it.
bool ends_stretch_of_days(compiled_language const& language, passage words, passage time);

// Wherever it stands: "book a hotel from 3 to 5 December in Rome".
bool holds_stretch_of_days(compiled_language const& language, passage words);

} // namespace postrider::agent::language
