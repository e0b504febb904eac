#pragma once
// A sentence as clauses: "add milk and delete 3" is two, "add milk and eggs" is one. Private to
// agent/todo. Pure. Where a title may go on, it does, unless what follows is a command beyond doubt.
#include "agent/todo/clause.hpp"
#include "agent/todo/sentences.hpp"

namespace postrider::agent::todo {

// Empty: the sentence is not understood.
std::vector<clause> read_sentence(
    vocabulary const& words, sentence const& source, wall_clock const& clock
);

} // namespace postrider::agent::todo
