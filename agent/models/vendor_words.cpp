#include "agent/models/vendor_words.hpp"

#include "base/ascii.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace postrider::agent {

namespace {

constexpr std::string_view opening = "“";
constexpr std::string_view closing_quote = "”";
constexpr std::string_view hidden = "***";

// Long enough for the sentences of both vendors, short enough for a line of a list.
constexpr std::size_t most_bytes = 300;
// Of a message, that is looked at.
constexpr std::size_t most_read = 4 * most_bytes;

void replace_words(std::string& text, std::string_view old_part, std::string_view new_part) {
    for (auto at = text.find(old_part); at != text.npos;
         at = text.find(old_part, at + new_part.size()))
        text.replace(at, old_part.size(), new_part);
}

bool is_alphanumeric(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// "disk-full" is none.
bool begins_key(std::string_view word, std::string_view mark) {
    for (auto at = word.find(mark); at != word.npos; at = word.find(mark, at + 1))
        if (at == 0 || !is_alphanumeric(word[at - 1])) return true;
    return false;
}

// Keys of a known form, also where the vendor has hidden a part, and long runs of letters and
// digits.
bool holds_secret(std::string_view word) {
    constexpr std::array<std::string_view, 5> marks{"sk-", "sk_", "gsk_", "xai-", "AIza"};
    if (std::ranges::any_of(marks, [word](auto mark) { return begins_key(word, mark); }))
        return true;
    if (word.find(hidden) != word.npos) return true;
    constexpr std::size_t longest_plain = 31;
    std::size_t run = 0;
    bool has_digit = false;
    bool has_letter = false;
    for (auto const c : word) {
        if (!is_alphanumeric(c) && c != '-' && c != '_') {
            run = 0;
            has_digit = has_letter = false;
            continue;
        }
        bool const digit = c >= '0' && c <= '9';
        has_digit = has_digit || digit;
        has_letter = has_letter || (is_alphanumeric(c) && !digit);
        if (++run > longest_plain && has_digit && has_letter) return true;
    }
    // A URL's user or query may be a token.
    return word.find("://") != word.npos && word.find_first_of("?@") != word.npos;
}

std::vector<std::string_view> split_words(std::string_view text) {
    std::vector<std::string_view> words;
    auto const is_gap = [](unsigned char c) { return c <= ' ' || c == 0x7f; };
    while (!text.empty()) {
        auto const begin = std::ranges::find_if_not(text, is_gap);
        auto const end = std::find_if(begin, text.end(), is_gap);
        if (begin != end) words.emplace_back(begin, end);
        text = std::string_view(end, text.end());
    }
    return words;
}

} // namespace

// Cut between words, so that no part of a key is left at the end.
std::string quote_words(std::string_view message) {
    auto const read = base::cut_at_character(message, most_read);
    auto text = base::as_utf8(std::string(read));
    replace_words(text, opening, "\"");
    replace_words(text, closing_quote, "\"");
    auto words = split_words(text);
    // The last one may be a part of a longer one.
    if (read.size() < message.size() && words.size() > 1) words.pop_back();
    std::string result;
    bool after_scheme = false;
    for (auto const word : words) {
        bool const secret = after_scheme || holds_secret(word);
        auto const shown_word = secret ? hidden : word;
        if (result.size() + shown_word.size() + 1 > most_bytes) {
            result += result.empty() ? "…" : " …";
            break;
        }
        if (!result.empty()) result += ' ';
        result += shown_word;
        after_scheme = base::equals_without_case(word, "bearer");
    }
    if (result.empty()) return result;
    return std::string(opening) + result + std::string(closing_quote);
}

base::error without_key(base::error failure, std::string_view key) {
    // What is shorter is no secret, and may be a part of any word.
    constexpr std::size_t shortest_key = 4;
    if (key.size() >= shortest_key) replace_words(failure.detail, key, hidden);
    return failure;
}

base::error without_words(base::error failure) {
    auto& text = failure.detail;
    for (auto begin = text.find(opening); begin != text.npos; begin = text.find(opening)) {
        auto end = text.find(closing_quote, begin);
        end = end == text.npos ? text.size() : end + closing_quote.size();
        constexpr std::string_view colon = ": ";
        if (std::string_view(text).substr(0, begin).ends_with(colon)) begin -= colon.size();
        text.erase(begin, end - begin);
    }
    return failure;
}

} // namespace postrider::agent
