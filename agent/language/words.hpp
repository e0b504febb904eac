#pragma once
// A person's message as words, for rules that read it: folded by Unicode's rules, so that case,
// accents, width and the digits of another script make no difference. Each word knows where it
// stands, so that what a person wrote can be quoted unchanged. Pure. Bytes that are no UTF-8 count
// as blanks.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

// The punctuation between two words, in the order of its strength.
enum class gap : std::uint8_t {
    none,
    soft, // a dash, a bracket, a sign
    comma,
    colon,
    stop, // . ! ; … and the end of a line
    question,
};

struct word {
    std::string text;      // folded; of a quotation: empty
    std::size_t begin = 0; // bytes in the message; of a quotation: inside its quotes
    std::size_t end = 0;
    gap before = gap::none;
    bool quoted = false; // a whole quotation, or a line that begins with >
};

struct word_list {
    std::vector<word> words;
    gap end = gap::none; // behind the last word
    bool asks = false;   // a question mark stands somewhere outside of quotations
};

// An apostrophe divides behind one letter and "qu" ("d'appeler", "i've") and is left out elsewhere
// ("don't" is "dont"). Dates, times and decimals ("24.12.", "9:30") are one word; so is an emoji,
// without the tone of its skin.
word_list words_of(std::string_view message);

std::string folded(std::string_view word);

// The edits (insert, delete, replace, swap neighbours) between two words by code points, or
// most + 1 when there are more.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most);

} // namespace postrider::agent
