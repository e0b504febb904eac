#pragma once
// Where the sentences of a message end, and where what they ask for begins. Private to agent/language. Pure.
#include "agent/language/passage.hpp"

#include <vector>

namespace postrider::agent::language {

struct sentence {
    passage words;
    bool asks = false; // ends with a question mark
};

// Without the words of politeness at its beginning: "so, …". "next" is none before what it is the next of:
// "next weekend's tasks".
passage without_openings(compiled_language const& language, passage words);
// Without them, and without the words of a request: "could you please …".
passage without_courtesy(compiled_language const& language, passage words);

// Words of a correction at the beginning, set off by a comma: "no, …". 0: there is none.
std::size_t corrected_at_begin(compiled_language const& language, passage words);
// The same, in any of the languages.
bool begins_with_correction(std::span<compiled_language const> languages, passage words);

// A correction begins a sentence. A stop does not end a sentence behind an abbreviation ("Dr.
// Smith"), nor behind a number before a month ("24. Dezember"), nor behind an ordinal ("im 3. Stock").
std::vector<sentence> sentences_of(
    std::span<compiled_language const> languages, passage message, gap end
);

} // namespace postrider::agent::language
