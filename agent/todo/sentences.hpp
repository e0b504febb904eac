#pragma once
// Where the sentences of a message end. Private to agent/todo. Pure.
#include "agent/todo/passage.hpp"

#include <vector>

namespace postrider::agent::todo {

struct sentence {
    passage words;
    bool asks = false; // ends with a question mark
};

// A stop does not end a sentence behind an abbreviation ("Dr. Smith") nor behind a number before a
// month ("24. Dezember").
std::vector<sentence> sentences_of(
    std::span<compiled_language const> languages, passage message, gap end
);

} // namespace postrider::agent::todo
