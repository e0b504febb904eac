#pragma once
// Whether a person's words are a clear yes, a clear no, or neither: by rules, never by a model. A
// question about deleting or spending goes on only after a clear yes, so every word of the message
// must belong to the answer: "yes but only the first", "yes?", "no wait, yes" and "the first one"
// are neither. English, German, Spanish, French, Russian, Urdu (also in Latin letters), and thumbs.
// Pure.
#include <cstdint>
#include <span>
#include <string_view>

namespace postrider::agent {

enum class assent : std::uint8_t { neither, yes, no };

assent assent_of(std::string_view message);

// The words of a language, lists of phrases divided by |. Fillers change nothing and are no answer
// alone: "please", "delete it".
struct assent_words {
    std::string_view language; // "en"
    std::string_view yes;
    std::string_view no;
    std::string_view fillers;
};

// A language is one value of this table.
std::span<assent_words const> assent_table() noexcept;

// The same by another table, read at each call.
assent assent_of(std::string_view message, std::span<assent_words const> table);

} // namespace postrider::agent
