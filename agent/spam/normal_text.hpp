#pragma once
// A text in the forms that checks compare. Made once for each message. Pure and deterministic; any bytes are taken.
//
//     as written   "Удалённaя pa6oта!!!"   "з а р а б о т о к"
//     plain        "удалённая pa6oта!!!"   compatibility form (NFKC), case folded, nothing invisible
//     folded       "yдaлehhaя pa6ota"      without marks, lookalikes as one letter, signs within words as letters,
//                                          a letter three times or more once, words of spaced letters whole
#include "agent/spam/characters.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::spam {

enum class token_kind : std::uint8_t {
    word,
    number,
    emoji,
    sign, // of a currency, + % # @
};

struct token {
    token_kind kind = token_kind::word;
    std::string plain;
    std::string folded;
    // Letters of two writing systems, each of one looking like one of the other.
    bool is_mixed = false;
};

struct normal_text {
    std::string written; // with U+FFFD for bytes that are not UTF-8
    std::string plain;
    std::string folded; // the tokens' folded forms with one blank between
    std::vector<token> tokens;

    // Counts of characters as they were written.
    std::size_t characters = 0; // that are visible and not blank
    std::size_t letters = 0;
    std::size_t capitals = 0;
    std::size_t digits = 0;
    std::size_t emoji = 0;        // graphemes
    std::size_t hidden = 0;       // invisible ones within words
    std::size_t spaced_words = 0; // four letters or more, each with a blank before the next
    std::size_t mixed_words = 0;
};

normal_text normalize(std::string_view text);

// The folded form alone: of a stop word, of a sample.
std::string folded_text(std::string_view text);

} // namespace postrider::agent::spam
