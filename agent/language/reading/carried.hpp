#pragma once
// What goes on behind semicolons without a verb of its own: "add milk; eggs; bread", "complete 1; 3".
// Private to agent/language. Pure; linear in the words.
#include "agent/language/reading/clause.hpp"

#include <span>
#include <vector>

namespace postrider::agent::language {

// The same act for each of the parts behind a clause: to tasks by their numbers, or with short
// titles. Nothing where any of them may be talk, or takes something back.
std::vector<intent> carried_by(
    std::span<compiled_language const> languages,
    clause const& before,
    std::span<passage const> parts,
    wall_clock const& clock
);

} // namespace postrider::agent::language
