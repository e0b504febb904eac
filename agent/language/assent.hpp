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

namespace language {
struct lexicon;
}

enum class assent : std::uint8_t { neither, yes, no };

assent assent_of(std::string_view message);
// Of a clear yes or no, the language that it is one in. "": in several ("ok", "no"), or it is neither.
std::string_view assent_language_of(std::string_view message);

// The same in other languages, which are made ready at each call.
assent assent_of(std::string_view message, std::span<language::lexicon const> languages);

} // namespace postrider::agent
