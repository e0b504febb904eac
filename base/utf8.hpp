#pragma once
// Whether bytes from outside are UTF-8, and what to write when they are not. Pure.
#include <string>
#include <string_view>

namespace postrider::base {

bool is_utf8(std::string_view text) noexcept;

// The text with U+FFFD in place of every byte that belongs to no character.
std::string as_utf8(std::string text);

} // namespace postrider::base
