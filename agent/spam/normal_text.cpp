#include "agent/spam/normal_text.hpp"

#include "agent/spam/homoglyphs.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <utf8proc.h>

namespace postrider::agent::spam {

namespace {

constexpr std::size_t fewest_spaced_letters = 4;

std::u32string characters_of(std::string_view text) {
    std::u32string characters;
    characters.reserve(text.size());
    while (!text.empty()) characters += take_character(text);
    return characters;
}

// Characters that NFKC leaves alone and whose lower case is found by adding, which are most of what people write.
bool is_simple(char32_t c) {
    return c < 0x80 || (c >= 0x400 && c <= 0x45f) || c == 0xab || c == 0xbb || c == 0xad ||
           (c >= 0x200b && c <= 0x200f) || (c >= 0x2012 && c <= 0x2016) ||
           (c >= 0x2018 && c <= 0x2022) || (c >= 0x20a9 && c <= 0x20bf) ||
           (c >= 0x25a0 && c <= 0x27bf) || (c >= 0xfe00 && c <= 0xfe0f) ||
           (c >= 0x1f300 && c <= 0x1faff);
}

char32_t simple_lower(char32_t c) {
    if (c >= U'A' && c <= U'Z') return c + 0x20;
    if (c >= 0x410 && c <= 0x42f) return c + 0x20;
    if (c >= 0x400 && c <= 0x40f) return c + 0x50;
    return c;
}

struct released {
    void operator()(utf8proc_uint8_t* bytes) const { std::free(bytes); }
};

constexpr auto plain_form = static_cast<utf8proc_option_t>(
    UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE
);

// False where what follows may combine with it: marks, and the parts of Korean syllables.
bool append_plain(std::u32string& plain, char32_t c) {
    std::array<utf8proc_int32_t, 32> parts{};
    int boundary = 0;
    auto const count = utf8proc_decompose_char(
        static_cast<utf8proc_int32_t>(c), parts.data(), std::ssize(parts), plain_form, &boundary
    );
    if (count < 0 || count > std::ssize(parts)) return false;
    for (utf8proc_ssize_t at = 0; at < count; ++at) {
        auto const part = static_cast<char32_t>(parts[static_cast<std::size_t>(at)]);
        if (is_mark(part) || (part >= 0x1100 && part <= 0x11ff)) return false;
        if (!is_invisible(part)) plain += part;
    }
    return true;
}

std::u32string composed_characters(std::u32string const& written, std::string const& text) {
    constexpr auto options = static_cast<utf8proc_option_t>(
        UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE
    );
    utf8proc_uint8_t* mapped = nullptr;
    auto const size = utf8proc_map(
        reinterpret_cast<utf8proc_uint8_t const*>(text.data()),
        static_cast<utf8proc_ssize_t>(text.size()),
        &mapped,
        options
    );
    std::unique_ptr<utf8proc_uint8_t, released> const owner(mapped);
    if (size < 0) return written; // not for valid UTF-8
    auto composed =
        characters_of({reinterpret_cast<char const*>(mapped), static_cast<std::size_t>(size)});
    std::erase_if(composed, is_invisible);
    return composed;
}

// Character by character as long as none combines with another.
std::u32string plain_characters(std::u32string const& written, std::string const& text) {
    std::u32string plain;
    plain.reserve(written.size());
    for (auto const c : written) {
        if (!is_simple(c)) {
            if (!append_plain(plain, c)) return composed_characters(written, text);
        } else if (!is_invisible(c)) {
            plain += simple_lower(c);
        }
    }
    return plain;
}

bool is_capital(char32_t c) {
    if (is_simple(c)) return simple_lower(c) != c;
    auto const letter = static_cast<utf8proc_int32_t>(c);
    return utf8proc_tolower(letter) != letter;
}

// Emoji as people see them: joined ones are one, and so are the two halves of a flag.
class emoji_counter {
public:
    bool begins_another(char32_t c) {
        bool const is_half_flag = c >= 0x1f1e6 && c <= 0x1f1ff;
        bool const is_second_half = is_half_flag && flag_is_open_;
        flag_is_open_ = is_half_flag && !is_second_half;
        constexpr char32_t joiner = 0x200d;
        bool const begins = begins_emoji(c) && previous_ != joiner && !is_second_half;
        previous_ = c;
        return begins;
    }

private:
    char32_t previous_ = 0;
    bool flag_is_open_ = false;
};

void count_characters(std::u32string const& written, normal_text& text) {
    emoji_counter emoji;
    for (std::size_t at = 0; at < written.size(); ++at) {
        auto const c = written[at];
        if (is_invisible(c)) {
            bool const inside = at > 0 && at + 1 < written.size() && is_letter(written[at - 1]) &&
                                is_letter(written[at + 1]);
            text.hidden += inside;
        } else if (!is_blank(c)) {
            ++text.characters;
        }
        if (is_letter(c)) {
            ++text.letters;
            text.capitals += is_capital(c);
        } else if (is_digit(c)) {
            ++text.digits;
        }
        text.emoji += emoji.begins_another(c);
    }
}

bool is_word_character(char32_t c) {
    return is_letter(c) || is_digit(c) || is_mark(c);
}

// The letter without its marks, as its lookalikes' common letter.
void append_folded(std::u32string& folded, char32_t letter) {
    if (letter == 0x439) letter = 0x438; // й, ё
    if (letter == 0x451) letter = 0x435;
    if (letter < 0x80 || (letter >= 0x430 && letter <= 0x44f)) {
        folded += lookalike_of(letter);
        return;
    }
    std::array<utf8proc_int32_t, 16> parts{};
    int last_boundary = 0;
    auto const count = utf8proc_decompose_char(
        static_cast<utf8proc_int32_t>(letter),
        parts.data(),
        static_cast<utf8proc_ssize_t>(parts.size()),
        static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_STRIPMARK),
        &last_boundary
    );
    for (utf8proc_ssize_t at = 0; at < count && at < std::ssize(parts); ++at)
        folded += lookalike_of(static_cast<char32_t>(parts[static_cast<std::size_t>(at)]));
}

std::string as_bytes(std::u32string_view characters) {
    std::string bytes;
    bytes.reserve(characters.size() * 2);
    for (auto const c : characters) append_character(bytes, c);
    return bytes;
}

// Runs of three and more become one.
std::string without_repetition(std::u32string const& letters) {
    std::string bytes;
    bytes.reserve(letters.size() * 2);
    for (std::size_t at = 0; at < letters.size();) {
        auto end = at + 1;
        while (end < letters.size() && letters[end] == letters[at]) ++end;
        auto const count = end - at > 2 ? 1 : end - at;
        for (std::size_t n = 0; n < count; ++n) append_character(bytes, letters[at]);
        at = end;
    }
    return bytes;
}

// Whether a letter could be taken for one of another writing system, as it is printed and not in handwriting.
bool has_double(char32_t letter) {
    constexpr std::u32string_view latin_doubles = U"abcehijkmoprstuxy";
    if (letter < 0x80) return latin_doubles.find(letter) != latin_doubles.npos;
    return lookalike_of(letter) != letter;
}

// "pa6oтa" and "удaлённо", but not "iPadе" or "DevOpsы": a Latin word with a Cyrillic ending. The letters of which there
// are fewer all have doubles: else nobody would take the word for another.
bool mixes_scripts(std::u32string_view word) {
    struct part {
        std::size_t letters = 0;
        bool has_own = false; // a letter without a double
    };
    part first_part, second_part;
    auto first = script::common, previous = script::common;
    std::size_t changes = 0;
    for (auto const c : word) {
        auto const own = script_of(c);
        if (own == script::common) continue;
        if (first == script::common) first = own;
        changes += previous != script::common && own != previous;
        previous = own;
        auto& part = own == first ? first_part : second_part;
        ++part.letters;
        part.has_own = part.has_own || !has_double(c);
    }
    if (second_part.letters == 0) return false;
    bool const has_foreign_ending = first == script::latin && changes == 1 && first_part.has_own;
    if (has_foreign_ending) return false;
    if (first_part.letters == second_part.letters)
        return !first_part.has_own || !second_part.has_own;
    return !(first_part.letters < second_part.letters ? first_part : second_part).has_own;
}

class tokenizer {
public:
    tokenizer(std::u32string const& plain, normal_text& text) : plain_(plain), text_(text) {}

    void run() {
        text_.tokens.reserve(plain_.size() / 4);
        while (at_ < plain_.size()) {
            auto const c = plain_[at_];
            if (is_word_character(c)) {
                if (!take_spaced_word()) take_word();
            } else {
                if (begins_emoji(c))
                    add(token_kind::emoji, c);
                else if (is_sign(c))
                    add(token_kind::sign, c);
                ++at_;
            }
        }
    }

private:
    static bool is_sign(char32_t c) {
        return c == U'+' || c == U'%' || c == U'#' || c == U'@' || c == U'$' ||
               (c >= 0x20a0 && c <= 0x20bf) || c == 0xa3 || c == 0xa5;
    }

    void add(token_kind kind, char32_t character) {
        std::string bytes;
        append_character(bytes, character);
        text_.tokens.push_back({kind, bytes, bytes, false});
    }

    // A sign between two letters that is part of no address.
    bool is_letter_here() const {
        if (at_ == 0 || at_ + 1 >= plain_.size()) return false;
        return letter_of_sign(plain_[at_]) != 0 && !is_digit(plain_[at_]) &&
               is_letter(plain_[at_ - 1]) && is_letter(plain_[at_ + 1]) &&
               (plain_[at_ - 1] >= 0x400 || plain_[at_ + 1] >= 0x400);
    }

    bool is_apostrophe_here() const {
        return (plain_[at_] == U'\'' || plain_[at_] == 0x2019) && at_ + 1 < plain_.size() &&
               is_letter(plain_[at_ + 1]);
    }

    void take_word() {
        auto const begin = at_;
        auto& word = word_;
        word.clear();
        while (at_ < plain_.size()) {
            if (is_word_character(plain_[at_]) || is_letter_here())
                word += plain_[at_];
            else if (!is_apostrophe_here())
                break;
            ++at_;
        }
        add_word(word, as_bytes(std::u32string_view(plain_).substr(begin, at_ - begin)));
    }

    void add_word(std::u32string const& word, std::string plain) {
        token added{token_kind::word, std::move(plain), {}, false};
        if (std::ranges::none_of(word, is_letter)) {
            added.kind = token_kind::number;
            added.folded = added.plain;
        } else {
            added.is_mixed = mixes_scripts(word);
            text_.mixed_words += added.is_mixed;
            auto& folded = folded_;
            folded.clear();
            for (std::size_t at = 0; at < word.size(); ++at) {
                auto const c = word[at];
                if (is_mark(c)) continue;
                bool const between = at + 1 < word.size() && is_letter(word[at + 1]) &&
                                     (at == 0 ? word.size() > 3 : is_letter(word[at - 1]));
                auto const letter = between ? letter_of_sign(c) : 0;
                if (letter)
                    folded += letter;
                else
                    append_folded(folded, c);
            }
            added.folded = without_repetition(folded);
        }
        text_.tokens.push_back(std::move(added));
    }

    // "з а р а б о т о к": single letters with one blank between.
    bool take_spaced_word() {
        if (at_ + 1 < plain_.size() && !is_blank(plain_[at_ + 1])) return false;
        auto& word = word_;
        word.clear();
        auto at = at_;
        for (;;) {
            bool const single = at < plain_.size() && is_letter(plain_[at]) &&
                                (at + 1 >= plain_.size() || !is_word_character(plain_[at + 1]));
            if (!single) break;
            word += plain_[at];
            if (at + 2 >= plain_.size() || !is_blank(plain_[at + 1])) {
                ++at;
                break;
            }
            at += 2;
        }
        if (word.size() < fewest_spaced_letters) return false;
        at_ = at;
        ++text_.spaced_words;
        add_word(word, as_bytes(word));
        return true;
    }

    std::u32string const& plain_;
    normal_text& text_;
    std::size_t at_ = 0;
    std::u32string word_; // of the present token, and its folded form
    std::u32string folded_;
};

} // namespace

normal_text normalize(std::string_view text) {
    normal_text normal;
    normal.written = base::as_utf8(std::string(text));
    auto const written = characters_of(normal.written);
    count_characters(written, normal);
    auto const plain = plain_characters(written, normal.written);
    normal.plain = as_bytes(plain);
    tokenizer(plain, normal).run();
    for (auto const& token : normal.tokens) {
        if (!normal.folded.empty()) normal.folded += ' ';
        normal.folded += token.folded;
    }
    return normal;
}

std::string folded_text(std::string_view text) {
    return normalize(text).folded;
}

} // namespace postrider::agent::spam
