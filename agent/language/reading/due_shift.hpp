#pragma once
// How far a due date is to be moved: "two days", "a week and a half", "2h". Private to agent/language. Pure.
#include "agent/language/passage.hpp"
#include "agent/language/request.hpp"

#include <optional>

namespace postrider::agent::language {

// Nothing: not all of the words are one length of time.
std::optional<due_shift> read_shift(compiled_language const& language, passage words);

} // namespace postrider::agent::language
