#pragma once
// Characters of Unicode as the spam filter tells them apart. Pure.
#include <cstdint>
#include <string>
#include <string_view>

namespace postrider::agent::spam {

// The writing systems that checks name. Common: digits, signs, emoji.
enum class script : std::uint8_t {
    common,
    latin,
    cyrillic,
    greek,
    armenian,
    georgian,
    hebrew,
    arabic,
    devanagari,
    bengali,
    tamil,
    thai,
    ethiopic,
    cherokee,
    han,
    kana,
    hangul,
    other,
};

// By the blocks of Unicode. Of a character that is no letter: common.
script script_of(char32_t character) noexcept;
std::string_view name_of(script script) noexcept;
// "" and every unknown name: other.
script script_named(std::string_view name) noexcept;

bool is_letter(char32_t character) noexcept;
bool is_digit(char32_t character) noexcept;
bool is_mark(char32_t character) noexcept; // combining
bool is_blank(char32_t character) noexcept;
// Without a shape of its own: zero-width spaces and joiners, marks of direction, selectors of a variant.
bool is_invisible(char32_t character) noexcept;
// Begins an emoji, as a picture of its own and not as the sign of a trade mark.
bool begins_emoji(char32_t character) noexcept;

// Removes the first character of a text that is valid UTF-8 and not empty, and returns it.
char32_t take_character(std::string_view& text) noexcept;
void append_character(std::string& text, char32_t character);

} // namespace postrider::agent::spam
