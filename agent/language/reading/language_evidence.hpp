#pragma once
// Whether a message is enough in a language for a new task that hangs on a single word of it. Private to
// agent/language. Pure.
#include "agent/language/reading/clause.hpp"

namespace postrider::agent::language {

// The reading is of words with slips put right; `words` are those that were written. A slip makes a new task
// only of a message that is in the command's language otherwise, or where the conversation is, and never the verb
// of what was done: "Creme kaufen" is no "crée", and who painted did not print.
bool is_guess(
    vocabulary const& spoken, clause const& read, word_span words, std::string_view conversation
);

// "it: urgent": another language knows more of the words. "Note schreiben": the only word of the command is one of another language, too, and the rest does not say
// that it is not.
bool is_foreign(
    vocabulary const& spoken, clause const& read, word_span words, std::string_view conversation
);

} // namespace postrider::agent::language
