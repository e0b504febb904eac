#include "agent/flow/document/word_diff.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace postrider::agent::flow {

namespace {

using text_kind = text_part::kind;
using word_list = std::vector<std::string_view>;

// Of the table of common lengths: 8 MB.
constexpr std::size_t largest_table = 2'000'000;

// Other bytes than ASCII belong to letters, or to signs that change with their word.
bool is_word_byte(char c) {
    auto const byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

bool is_blank_byte(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

std::size_t end_of_word(std::string_view text) {
    auto const run = [text](bool (*belongs)(char)) {
        auto const end = std::ranges::find_if_not(text, belongs);
        return static_cast<std::size_t>(end - text.begin());
    };
    if (is_word_byte(text.front())) return run(is_word_byte);
    if (is_blank_byte(text.front())) return run(is_blank_byte);
    return 1;
}

std::size_t end_of_line(std::string_view text) {
    return std::min(text.find('\n'), text.size() - 1) + 1;
}

word_list cut_text(std::string_view text, std::size_t (*end_of)(std::string_view)) {
    word_list words;
    while (!text.empty()) {
        auto const end = end_of(text);
        words.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return words;
}

void append_part(std::vector<text_part>& parts, text_kind kind, std::string_view text) {
    if (text.empty()) return;
    if (parts.empty() || parts.back().of != kind) parts.push_back({kind, {}});
    parts.back().text += text;
}

// What both have at their ends is not worth a table.
std::size_t common_front(word_list const& before, word_list const& after) {
    auto const [end, other] = std::ranges::mismatch(before, after);
    return static_cast<std::size_t>(end - before.begin());
}

std::size_t common_back(word_list const& before, word_list const& after, std::size_t front) {
    auto const most = std::min(before.size(), after.size()) - front;
    std::size_t same = 0;
    while (same < most && before[before.size() - 1 - same] == after[after.size() - 1 - same])
        ++same;
    return same;
}

// Along a longest common subsequence.
void compare_words(std::vector<text_part>& parts, word_list const& before, word_list const& after) {
    auto const width = after.size() + 1;
    std::vector<std::uint32_t> common((before.size() + 1) * width);
    for (auto i = before.size(); i-- > 0;)
        for (auto j = after.size(); j-- > 0;)
            common[i * width + j] =
                before[i] == after[j]
                    ? common[(i + 1) * width + j + 1] + 1
                    : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < before.size() || j < after.size()) {
        bool const has_both = i < before.size() && j < after.size();
        if (has_both && before[i] == after[j]) {
            append_part(parts, text_kind::same, before[i++]);
            ++j;
            continue;
        }
        bool const is_removed =
            has_both ? common[(i + 1) * width + j] >= common[i * width + j + 1] : j == after.size();
        if (is_removed)
            append_part(parts, text_kind::removed, before[i++]);
        else
            append_part(parts, text_kind::added, after[j++]);
    }
}

bool fits_table(word_list const& before, word_list const& after) {
    return (before.size() + 1) * (after.size() + 1) <= largest_table;
}

std::vector<text_part> compare_texts(
    std::string_view before, std::string_view after, std::size_t (*end_of)(std::string_view)
) {
    auto old_words = cut_text(before, end_of);
    auto new_words = cut_text(after, end_of);
    auto const front = common_front(old_words, new_words);
    auto const back = common_back(old_words, new_words, front);
    std::vector<text_part> parts;
    for (std::size_t i = 0; i < front; ++i) append_part(parts, text_kind::same, old_words[i]);
    auto const tail =
        word_list(old_words.end() - static_cast<std::ptrdiff_t>(back), old_words.end());
    auto const middle = [&](word_list const& words) {
        return word_list(
            words.begin() + static_cast<std::ptrdiff_t>(front),
            words.end() - static_cast<std::ptrdiff_t>(back)
        );
    };
    old_words = middle(old_words);
    new_words = middle(new_words);
    if (fits_table(old_words, new_words)) {
        compare_words(parts, old_words, new_words);
    } else {
        std::string old_text;
        std::string new_text;
        for (auto const word : old_words) old_text += word;
        for (auto const word : new_words) new_text += word;
        auto rest = end_of == end_of_word
                        ? compare_texts(old_text, new_text, end_of_line)
                        : std::vector<text_part>{
                              {text_kind::removed, old_text}, {text_kind::added, new_text}};
        for (auto const& part : rest) append_part(parts, part.of, part.text);
    }
    for (auto const word : tail) append_part(parts, text_kind::same, word);
    return parts;
}

bool is_blank_part(text_part const& part) {
    return part.of == text_kind::same && std::ranges::all_of(part.text, is_blank_byte);
}

} // namespace

// Changed words with only blanks between them are one change.
std::vector<text_part> diff_words(std::string_view before, std::string_view after) {
    auto const parts = compare_texts(before, after, end_of_word);
    std::vector<text_part> joined;
    std::string removed;
    std::string added;
    auto const end_change = [&] {
        std::string blanks; // at the end of both
        while (!removed.empty() && !added.empty() && removed.back() == added.back() &&
               is_blank_byte(added.back())) {
            blanks.insert(0, 1, added.back());
            removed.pop_back();
            added.pop_back();
        }
        append_part(joined, text_kind::removed, std::exchange(removed, {}));
        append_part(joined, text_kind::added, std::exchange(added, {}));
        append_part(joined, text_kind::same, blanks);
    };
    for (std::size_t i = 0; i < parts.size(); ++i) {
        auto const& part = parts[i];
        bool const is_between = i > 0 && i + 1 < parts.size() && is_blank_part(part);
        if (part.of == text_kind::removed || is_between) removed += part.text;
        if (part.of == text_kind::added || is_between) added += part.text;
        if (part.of != text_kind::same || is_between) continue;
        end_change();
        append_part(joined, text_kind::same, part.text);
    }
    end_change();
    return joined;
}

} // namespace postrider::agent::flow
