#pragma once
// A request beside what it is told apart from: "don't delete task 3, complete it", "complete task 3,
// not task 2", "I know it's late, but add milk". Private to agent/language. Pure; linear in the words but
// for what a clause costs, a few of which are read.
#include "agent/language/reading/clause.hpp"
#include "agent/language/reading/sentences.hpp"

namespace postrider::agent::language {

// The request alone. Nothing: the sentence is no such contrast beyond doubt.
std::optional<clause> read_contrast(
    std::span<compiled_language const> languages, sentence const& source, wall_clock const& clock
);

} // namespace postrider::agent::language
