#pragma once
// One clause of a message as intents: politeness aside, a form of a language from its first word to
// its last. Private to agent/language. Pure.
#include "agent/language/reading/match.hpp"
#include "agent/language/times/time_expression.hpp"

namespace postrider::agent::language {

struct clause {
    std::vector<intent> intents; // several: "delete 2 and 3". Empty: not understood
    compiled_language const* language = nullptr;
    compiled_form const* matched = nullptr;
    std::size_t own_words = 0; // of the form
    word_number first = 0;     // the clause's first word, politeness aside

    bool understood() const noexcept { return !intents.empty(); }
    // It has a form of the language, and words that put it in doubt.
    bool refused() const noexcept { return matched && !understood(); }
};

// asks: a question mark ends it. A question changes nothing, unless it is a request ("can you …?").
clause read_clause(
    std::span<compiled_language const> languages, passage words, bool asks, wall_clock const& clock
);

// How sure the reading is: by the form's own words, and whether a task is named by more than words
// of its title.
std::size_t weight(clause const& understood);

// Begins, politeness aside, like "could you".
bool requests(std::span<compiled_language const> languages, passage words);

// Nothing but a yes to what was just asked for: "yes, I'm sure".
bool confirms(std::span<compiled_language const> languages, passage words);

} // namespace postrider::agent::language
