#pragma once
// The tasks that words refer to: "3", "task two", "the second one", "it", "the milk", "1, 2 and 4".
// Private to agent/language. Pure.
#include "agent/language/passage.hpp"
#include "agent/language/request.hpp"

#include <optional>
#include <vector>

namespace postrider::agent::language {

// Several only when each is a number or a place in the list ("the first two"). Nothing: the words are
// none, or hold a doubt, a condition or talk of the past.
std::vector<task_reference> references_in(compiled_language const& language, passage words);

// A whole number in digits or as a word.
std::optional<std::int64_t> number_of(compiled_language const& language, passage word);

} // namespace postrider::agent::language
