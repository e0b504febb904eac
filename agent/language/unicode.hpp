#pragma once
// UTF-8 by code points. Pure. Texts are valid UTF-8 (base/utf8).
#include "base/utf8.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace postrider::agent::expressions {

std::size_t code_points(std::string_view text) noexcept;

// The byte at which code point `index` (from 0) begins; the text's size when it has just so many;
// npos beyond.
std::size_t offset_of(std::string_view text, std::size_t index) noexcept;

// False, and nothing appended: a surrogate, or beyond Unicode.
bool append_utf8(std::string& text, char32_t code_point);

// By the mappings of single code points: ß is ẞ in upper case.
std::string lower(std::string_view text);
std::string upper(std::string_view text);

// Without the white space of Unicode at both ends.
std::string_view without_space(std::string_view text);

std::string reversed(std::string_view text);

using base::shortened;

} // namespace postrider::agent::expressions
