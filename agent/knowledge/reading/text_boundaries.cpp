#include "agent/knowledge/reading/text_boundaries.hpp"

#include "base/ascii.hpp"
#include "base/names.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utf8proc.h>

namespace postrider::agent::knowledge {

namespace {

using namespace std::string_view_literals;

// Words that end with a full stop within a sentence.
constexpr std::array abbreviations{
    "abb"sv, "abs"sv, "approx"sv, "art"sv,  "bzw"sv,  "ca"sv, "cf"sv,  "dr"sv,  "etc"sv, "evtl"sv,
    "fig"sv, "ggf"sv, "hr"sv,     "inc"sv,  "inkl"sv, "jr"sv, "ltd"sv, "max"sv, "min"sv, "mr"sv,
    "mrs"sv, "ms"sv,  "nr"sv,     "prof"sv, "sen"sv,  "st"sv, "tel"sv, "usw"sv, "vgl"sv, "vs"sv};

struct character {
    char32_t code;
    std::size_t size; // bytes
};

character character_at(std::string_view text, std::size_t at) {
    utf8proc_int32_t code = 0;
    auto const size = utf8proc_iterate(
        reinterpret_cast<utf8proc_uint8_t const*>(text.data()) + at,
        static_cast<utf8proc_ssize_t>(text.size() - at),
        &code
    );
    if (size <= 0) return {0xfffd, 1};
    return {static_cast<char32_t>(code), static_cast<std::size_t>(size)};
}

bool is_blank_code(char32_t code) {
    return code == U' ' || code == U'\n' || code == U'\t' || code == 0x3000;
}

// Full-width ones need no blank behind them.
bool ends_wide_sentence(char32_t code) {
    return code == 0x3002 || code == 0xff01 || code == 0xff1f || code == 0xff61;
}

bool ends_sentence(char32_t code) {
    return code == U'.' || code == U'!' || code == U'?' || code == 0x2026 || code == 0x061f ||
           code == 0x0964;
}

bool closes(char32_t code) {
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(code))) {
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PF:
    case UTF8PROC_CATEGORY_PI:
        return true;
    default:
        return code == U'"' || code == U'\'';
    }
}

bool is_small_letter(char32_t code) {
    return utf8proc_category(static_cast<utf8proc_int32_t>(code)) == UTF8PROC_CATEGORY_LL;
}

// Before the full stop: "Dr", "e.g", "z.B", an initial, or a number as in "3. Mai".
bool ends_with_abbreviation(std::string_view text) {
    constexpr std::size_t longest_word = 12;
    text.remove_prefix(text.size() - std::min(text.size(), longest_word));
    auto const begin = text.find_last_of(" \n\t(") + 1; // npos + 1 is 0
    auto const word = base::to_lower(std::string(text.substr(begin)));
    auto const last = word.substr(word.rfind('.') + 1);
    bool const is_letter = last.size() == 1 && last[0] >= 'a' && last[0] <= 'z';
    bool const is_number =
        !word.empty() && word.size() <= 2 && word.find_first_not_of("0123456789") == word.npos;
    return is_letter || is_number || base::is_among(abbreviations, last);
}

bool begins_item(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.starts_with("- ") || line.starts_with("* ") || line.starts_with("• ")) return true;
    auto const digits = std::min(line.find_first_not_of("0123456789"), line.size());
    auto const rest = line.substr(digits);
    return digits > 0 && digits <= 3 && (rest.starts_with(". ") || rest.starts_with(") "));
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
    while (at < text.size()) {
        auto const next = character_at(text, at);
        if (!is_blank_code(next.code)) break;
        at += next.size;
    }
    return at;
}

} // namespace

std::size_t end_of_sentence(std::string_view text) {
    bool has_text = false;
    for (std::size_t at = 0; at < text.size();) {
        auto const current = character_at(text, at);
        auto const stop = at;
        at += current.size;
        if (current.code == U'\n' && has_text && begins_item(text.substr(at))) return at;
        has_text = has_text || !is_blank_code(current.code);
        bool const is_wide = ends_wide_sentence(current.code);
        if (!is_wide && !ends_sentence(current.code)) continue;
        while (at < text.size() && closes(character_at(text, at).code))
            at += character_at(text, at).size;
        if (is_wide) return skip_blanks(text, at);
        auto const next = skip_blanks(text, at);
        if (next == at && at < text.size()) continue; // within a word or a number
        if (next < text.size() && is_small_letter(character_at(text, next).code)) continue;
        if (current.code == U'.' && ends_with_abbreviation(text.substr(0, stop))) continue;
        // The line end before an item stays with the sentence.
        return next;
    }
    return text.size();
}

std::size_t end_of_words(std::string_view text, std::size_t most) {
    std::size_t at = 0;
    std::size_t behind_blank = 0;
    std::size_t behind_grapheme = 0;
    utf8proc_int32_t state = 0;
    char32_t previous = 0;
    for (std::size_t count = 0; at < text.size(); ++count) {
        auto const next = character_at(text, at);
        bool const is_between = at > 0 && utf8proc_grapheme_break_stateful(
                                              static_cast<utf8proc_int32_t>(previous),
                                              static_cast<utf8proc_int32_t>(next.code),
                                              &state
                                          );
        if (is_between) behind_grapheme = at;
        if (is_between && is_blank_code(previous)) behind_blank = at;
        if (count == most) break;
        previous = next.code;
        at += next.size;
    }
    if (at == text.size()) return at;
    // A blank far from the end would make small parts of long words.
    if (behind_blank > at / 2) return behind_blank;
    return behind_grapheme > 0 ? behind_grapheme : at;
}

} // namespace postrider::agent::knowledge
