#pragma once
// UTF-8: whether bytes from outside are it, what to write when they are not, and its characters
// (code points). Pure.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::base {

bool is_utf8(std::string_view text) noexcept;

// Of U+0000, which Postgres does not store: base/json/nul.hpp says what becomes of it.
constexpr bool has_nul(std::string_view text) noexcept {
    return text.find('\0') != text.npos;
}

// The text with U+FFFD in place of every byte that belongs to no character.
std::string as_utf8(std::string text);

// A byte that stands within a character, behind its first one.
constexpr bool continues_character(char byte) noexcept {
    return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

std::size_t count_characters(std::string_view text) noexcept;

// In units of UTF-16, as Telegram counts. Malformed UTF-8 counts one unit per byte.
std::size_t utf16_length(std::string_view text) noexcept;

// The byte at which that unit of UTF-16 begins; the text's end for the one behind its last. None: it is
// beyond the text, or within a character.
std::optional<std::size_t> byte_of_utf16(std::string_view text, std::int64_t unit) noexcept;

// The beginning of the text, at most so many bytes of it and no part of a character. What is not
// UTF-8 may be cut anywhere.
std::string_view cut_at_character(std::string_view text, std::size_t bytes) noexcept;

// The same with … behind it where something was left out; the … is not counted.
std::string shortened(std::string_view text, std::size_t bytes);

// For a terminal, whose cursor nothing from outside may move: control characters other than '\n' and
// '\t' become '?'.
std::string printable(std::string_view text);

} // namespace postrider::base
