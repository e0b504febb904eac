#pragma once
// Whether a person's words are a clear yes, a clear no, or neither: by rules, never by a model. A
// question about deleting or spending goes on only after a clear yes, so every word of the message
// must belong to the answer: "yes but only the first", "yes?", "no wait, yes" and "the first one"
// are neither. So are words of a yes that mean something else together: "correct it", "да ладно".
// English, German, Spanish, French, Russian, Urdu (also in Latin letters), and thumbs.
// Pure.
#include <cstdint>
#include <span>
#include <string_view>

namespace postrider::agent {

enum class assent : std::uint8_t { neither, yes, no };

assent assent_of(std::string_view message);
// Of a clear yes or no, the language that it is one in. "": in several ("ok", "no"), or it is neither.
std::string_view assent_language_of(std::string_view message);

// The words of a language, lists of phrases divided by |. Where several begin with the same words,
// the longest is read.
struct assent_words {
    std::string_view language; // "en"
    std::string_view yes;
    std::string_view bare_yes; // where no filler stands beside: "confirm", not "confirm, please"
    std::string_view no;
    std::string_view fillers; // change no answer, and are none alone: "please", "delete it"
    std::string_view idioms;  // wherever one stands, the message is neither: "yeah yeah"
};

// A language is one value of this table.
std::span<assent_words const> assent_table() noexcept;

// The same by another table, read at each call.
assent assent_of(std::string_view message, std::span<assent_words const> table);

} // namespace postrider::agent
