#include "agent/language/words.hpp"

#include "agent/language/unicode.hpp"
#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utf8proc.h>
#include <utility>

namespace postrider::agent {

namespace {

struct letter {
    char32_t code_point = 0;
    std::size_t bytes = 1;
};

letter letter_at(std::string_view text, std::size_t at) {
    utf8proc_int32_t code_point = 0;
    auto const* octets = reinterpret_cast<utf8proc_uint8_t const*>(text.data()) + at;
    auto const bytes =
        utf8proc_iterate(octets, static_cast<utf8proc_ssize_t>(text.size() - at), &code_point);
    if (bytes <= 0) return {U' ', 1};
    return {static_cast<char32_t>(code_point), static_cast<std::size_t>(bytes)};
}

enum class letter_class {
    space,
    line_end,
    letter,
    digit,
    symbol,
    ampersand,
    modifier,
    apostrophe,
    other
};

letter_class class_of(char32_t c) {
    if (c == U'\n' || c == 0x2028 || c == 0x2029) return letter_class::line_end;
    if (c == U'&') return letter_class::ampersand;
    if (c == U'\'' || c == 0x2019 || c == 0x02bc) return letter_class::apostrophe;
    if (c == 0x200d || (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0x1f3fb && c <= 0x1f3ff))
        return letter_class::modifier;
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF: // the joiners inside of Urdu words
        return letter_class::letter;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NO:
    case UTF8PROC_CATEGORY_NL:
        return letter_class::digit;
    case UTF8PROC_CATEGORY_SO:
        return letter_class::symbol;
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CN:
        return letter_class::space;
    default:
        return letter_class::other;
    }
}

gap gap_of(char32_t c) {
    switch (c) {
    case U'?':
    case U'\u061f': // ؟
        return gap::question;
    case U'.':
    case U'!':
    case U';':
    case U'\u2026': // …
    case U'\u06d4': // ۔
    case U'\u3002': // 。
        return gap::stop;
    case U':':
        return gap::colon;
    case U',':
    case U'\u060c': // ،
        return gap::comma;
    default:
        return gap::soft;
    }
}

// What closes a quotation that this opens; nothing when it opens none.
std::u32string_view closing_of(char32_t c) {
    switch (c) {
    case U'"':
        return U"\"";
    case U'`':
        return U"`";
    case U'\'':
        return U"'";
    case U'\u201c': // “
        return U"\u201d\u201c\"";
    case U'\u201e': // „
        return U"\u201c\u201d\"";
    case U'\u201d':
        return U"\u201d";
    case U'\u2018': // ‘
    case U'\u201a': // ‚
        return U"\u2019\u2018'";
    case U'\u00ab': // «
        return U"\u00bb";
    case U'\u00bb':
        return U"\u00ab";
    default:
        return {};
    }
}

bool is_ascii_digit(std::string_view text, std::size_t at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

char32_t without_variant(char32_t c) {
    if (c >= 0x660 && c <= 0x669) return c - 0x660 + U'0';
    if (c >= 0x6f0 && c <= 0x6f9) return c - 0x6f0 + U'0';
    switch (c) { // Arabic keyboards write Urdu with these
    case 0x64a:
    case 0x649:
        return 0x6cc; // ی
    case 0x643:
        return 0x6a9; // ک
    case 0x647:
    case 0x6be:
    case 0x6d5:
        return 0x6c1; // ہ
    default:
        return c;
    }
}

std::string ascii_folded(std::string_view text) {
    auto folded = base::to_lower(std::string(text));
    std::erase(folded, '\'');
    return folded;
}

class reader {
public:
    explicit reader(std::string_view text) : text_(text) {}

    word_list read() {
        while (at_ < text_.size()) step();
        list_.end = gap_;
        return std::move(list_);
    }

private:
    void step() {
        if (at_line_begin_ && text_[at_] == '>') return skip_quoted_line();
        if (auto const end = address_end()) return read_address(end);
        auto const [c, bytes] = letter_at(text_, at_);
        auto const kind = class_of(c);
        if (kind != letter_class::space && kind != letter_class::line_end) at_line_begin_ = false;
        switch (kind) {
        case letter_class::letter:
        case letter_class::digit:
            return read_word(at_);
        case letter_class::symbol:
        case letter_class::ampersand:
            add(at_, at_ + bytes, false);
            at_ += bytes;
            return;
        case letter_class::line_end:
            at_line_begin_ = true;
            strengthen(gap::stop);
            break;
        case letter_class::apostrophe:
        case letter_class::other:
            if (read_quotation(c, bytes)) return;
            // A signed number is another number.
            if ((c == U'-' || c == 0x2212) && begins_word() && is_ascii_digit(text_, at_ + bytes))
                return read_word(at_ + bytes);
            strengthen(c == U'.' && !ends_sentence() ? gap::soft : gap_of(c));
            if (gap_of(c) == gap::question) list_.asks = true;
            break;
        case letter_class::space:
        case letter_class::modifier:
            break;
        }
        at_ += bytes;
    }

    bool begins_word() const { return at_ == 0 || text_[at_ - 1] == ' ' || text_[at_ - 1] == '\n'; }

    // Where an address of the web ends that begins here; 0: none does. Its own ? and ; end nothing.
    std::size_t address_end() const {
        auto const rest = text_.substr(at_);
        if (!rest.starts_with("http://") && !rest.starts_with("https://")) return 0;
        auto end = std::min(text_.find_first_of(" \t\r\n\"<>", at_), text_.size());
        while (std::string_view(".,;:!?)").find(text_[end - 1]) != std::string_view::npos) --end;
        return end;
    }

    void read_address(std::size_t end) {
        add(at_, end, false);
        at_ = end;
        at_line_begin_ = false;
    }

    // Not in "example.com", nor in "p.m. ".
    bool ends_sentence() const {
        auto const next = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
        bool const followed = next == ' ' || next == '\n' || next == '\r' || next == '\t' ||
                              next == '.' || next == '"' || next == ')';
        auto const& read = list_.words;
        bool const initial = !read.empty() && read.back().end == at_ &&
                             read.back().text.size() == 1 &&
                             (read.back().text[0] < '0' || read.back().text[0] > '9');
        return followed && !initial;
    }

    void strengthen(gap found) { gap_ = std::max(gap_, found); }

    void add(std::size_t begin, std::size_t end, bool quoted) {
        auto const source = text_.substr(begin, end - begin);
        auto text = quoted ? std::string() : folded(source);
        if (text.empty() && !quoted) return;
        list_.words.push_back({std::move(text), begin, end, std::exchange(gap_, gap::none), quoted}
        );
    }

    void skip_quoted_line() {
        auto const end = std::min(text_.find('\n', at_), text_.size());
        add(at_ + 1, end, true);
        at_ = end;
        at_line_begin_ = false;
    }

    bool read_quotation(char32_t open, std::size_t bytes) {
        auto const closing = closing_of(open);
        if (closing.empty() || (open == U'\'' && !begins_word())) return false;
        // A quotation mark that nothing closes is none, and is looked for once.
        if (std::ranges::find(unclosed_, open) != unclosed_.end()) return false;
        for (auto end = at_ + bytes; end < text_.size();) {
            auto const [c, width] = letter_at(text_, end);
            if (closing.find(c) != closing.npos && closes(c, end + width)) {
                add(at_ + bytes, end, true);
                at_ = end + width;
                return true;
            }
            end += width;
        }
        unclosed_.push_back(open);
        return false;
    }

    // An apostrophe inside of a word closes nothing.
    bool closes(char32_t c, std::size_t behind) const {
        if (c != U'\'' && c != 0x2019) return true;
        if (behind >= text_.size()) return true;
        auto const kind = class_of(letter_at(text_, behind).code_point);
        return kind != letter_class::letter && kind != letter_class::digit;
    }

    void read_word(std::size_t from) {
        auto const begin = at_;
        auto end = from;
        std::size_t letters = 0;
        while (end < text_.size()) {
            auto const [c, bytes] = letter_at(text_, end);
            auto const kind = class_of(c);
            if (kind == letter_class::letter || kind == letter_class::digit) {
                ++letters;
            } else if (kind == letter_class::apostrophe) {
                if (!goes_on(end + bytes)) break;
                if (letters == 1 || folded(text_.substr(begin, end - begin)) == "qu") {
                    add(begin, end, false);
                    at_ = end + bytes;
                    return;
                }
            } else if (!joins_digits(c, end)) {
                break;
            }
            end += bytes;
        }
        add(begin, end, false);
        at_ = end;
    }

    bool goes_on(std::size_t at) const {
        return at < text_.size() &&
               class_of(letter_at(text_, at).code_point) == letter_class::letter;
    }

    bool joins_digits(char32_t c, std::size_t at) const {
        return (c == U'.' || c == U':' || c == U'/' || c == U'-' || c == U',') && at > 0 &&
               is_ascii_digit(text_, at - 1) && is_ascii_digit(text_, at + 1);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    gap gap_ = gap::none;
    bool at_line_begin_ = true;
    std::u32string unclosed_;
    word_list list_;
};

constexpr std::size_t longest_compared = 32;

struct code_points {
    std::array<char32_t, longest_compared> letters{};
    std::size_t size = 0;
};

std::optional<code_points> decoded(std::string_view text) {
    code_points result;
    for (std::size_t at = 0; at < text.size();) {
        if (result.size == longest_compared) return std::nullopt;
        auto const [c, bytes] = letter_at(text, at);
        result.letters[result.size++] = c;
        at += bytes;
    }
    return result;
}

} // namespace

word_list words_of(std::string_view message) {
    return reader(message).read();
}

std::string folded(std::string_view word) {
    if (std::ranges::all_of(word, [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
        return ascii_folded(word);
    utf8proc_uint8_t* mapped = nullptr;
    constexpr auto options = static_cast<utf8proc_option_t>(
        UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_STRIPMARK |
        UTF8PROC_IGNORE
    );
    auto const size = utf8proc_map(
        reinterpret_cast<utf8proc_uint8_t const*>(word.data()),
        static_cast<utf8proc_ssize_t>(word.size()),
        &mapped,
        options
    );
    std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> const owned(mapped, &std::free);
    if (size < 0) return std::string(word);
    auto const text =
        std::string_view(reinterpret_cast<char const*>(mapped), static_cast<std::size_t>(size));
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        auto const [c, bytes] = letter_at(text, at);
        if (class_of(c) != letter_class::apostrophe)
            expressions::append_utf8(result, without_variant(c));
        at += bytes;
    }
    return result;
}

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most) {
    if (a == b) return 0;
    auto const left = decoded(a);
    auto const right = decoded(b);
    if (!left || !right) return most + 1;
    auto const apart =
        left->size > right->size ? left->size - right->size : right->size - left->size;
    if (apart > most) return most + 1;
    using row = std::array<std::size_t, longest_compared + 1>;
    row before{};
    row above{};
    row current{};
    for (std::size_t j = 0; j <= right->size; ++j) above[j] = j;
    for (std::size_t i = 1; i <= left->size; ++i) {
        current[0] = i;
        auto least = i;
        for (std::size_t j = 1; j <= right->size; ++j) {
            auto const equal = left->letters[i - 1] == right->letters[j - 1];
            current[j] =
                std::min({above[j] + 1, current[j - 1] + 1, above[j - 1] + (equal ? 0 : 1)});
            bool const swapped = i > 1 && j > 1 && left->letters[i - 1] == right->letters[j - 2] &&
                                 left->letters[i - 2] == right->letters[j - 1];
            if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
            least = std::min(least, current[j]);
        }
        if (least > most + 1) return most + 1;
        before = above;
        above = current;
    }
    return std::min(above[right->size], most + 1);
}

} // namespace postrider::agent
