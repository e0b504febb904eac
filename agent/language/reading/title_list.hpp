#pragma once
// Several new tasks behind a colon: "add these:" and lines that begin with a dash or a number, "add
// tasks: call Tim; buy a lamp", "create two tasks: fix the sink and mow the lawn". Private to
// agent/todo. Pure; linear in the words but for what a sentence costs, twenty of which are read at
// most.
#include "agent/language/times/time_expression.hpp"

#include <optional>
#include <vector>

namespace postrider::agent::language {

struct title_list {
    compiled_language const* language = nullptr;
    std::vector<intent> intents; // two at least, each with a title
};

// Nothing: the words are no such list from the first to the last.
std::optional<title_list> read_title_list(
    vocabulary const& words, passage message, wall_clock const& clock
);

} // namespace postrider::agent::language
