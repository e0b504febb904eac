#pragma once
// Whether bytes from outside are UTF-8, and what to write when they are not. Pure.
#include <string>
#include <string_view>

namespace postrider::base {

bool is_utf8(std::string_view text) noexcept;

// The text with U+FFFD in place of every byte that belongs to no character.
std::string as_utf8(std::string text);

// The beginning of the UTF-8 text: so many bytes at most, and no part of a character.
std::string_view cut_at_character(std::string_view text, std::size_t most) noexcept;

} // namespace postrider::base
