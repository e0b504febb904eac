#pragma once
// Where the sentences of a message end. Private to agent/language. Pure.
#include "agent/language/passage.hpp"

#include <vector>

namespace postrider::agent::language {

struct sentence {
    passage words;
    bool asks = false; // ends with a question mark
};

// Words of a correction at the beginning, set off by a comma: "no, …". 0: there is none.
std::size_t corrected_at_begin(compiled_language const& language, passage words);
// The same, in any of the languages.
bool begins_with_correction(std::span<compiled_language const> languages, passage words);

// A correction begins a sentence. A stop does not end a sentence behind an abbreviation ("Dr.
// Smith") nor behind a number before a month ("24. Dezember").
std::vector<sentence> sentences_of(
    std::span<compiled_language const> languages, passage message, gap end
);

} // namespace postrider::agent::language
