#pragma once
// A sentence as clauses: "add milk and delete 3" is two, "add milk and eggs" is one. Private to
// agent/todo. Pure. Where a title may go on, it does, unless what follows is a command beyond doubt.
#include "agent/language/reading/clause.hpp"
#include "agent/language/reading/sentences.hpp"

namespace postrider::agent::language {

// Empty: the sentence is not understood.
std::vector<clause> read_sentence(
    vocabulary const& words, sentence const& source, wall_clock const& clock
);

} // namespace postrider::agent::language
