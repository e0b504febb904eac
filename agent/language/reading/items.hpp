#pragma once
// Several new tasks in one clause: "add milk, eggs and bread". Private to agent/language. Pure.
#include "agent/language/times/time_expression.hpp"

namespace postrider::agent::language {

// Each as the model, with its title: three short things at least, for two may well be one title. Empty: the words
// are no such list.
std::vector<intent> read_items(
    compiled_language const& language, passage words, wall_clock const& clock, intent const& model
);

} // namespace postrider::agent::language
