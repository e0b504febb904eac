#pragma once
// What somebody says to have done, as a task would say it: "mowed" is "mow". Private to agent/language. Pure.
#include "agent/language/passage.hpp"

namespace postrider::agent::language {

// The verbs that a word may be the past of, by the language's patterns; several where the pattern leaves
// it open ("baked": "bak", "bake"). They are folded, but the word counts as it is written: "été" is no "ete". None: it is no such word, or what it says is never a task.
std::vector<std::string> infinitives_of(compiled_language const& language, passage word);

} // namespace postrider::agent::language
