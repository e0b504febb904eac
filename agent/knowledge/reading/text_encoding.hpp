#pragma once
// Texts of documents as UTF-8, in whatever encoding they come. Pure but for the budget.
#include "agent/knowledge/reading/reading_budget.hpp"

#include <string>
#include <string_view>

namespace postrider::agent::knowledge {

// False for pictures, programs and the like: bytes that no encoding of a text has.
bool looks_like_text(std::string_view bytes) noexcept;

// In this order: a byte order mark, UTF-16 by its zeros, the declared charset ("" = none; one that is not supported counts
// as none), UTF-8 by its bytes, or else an encoding of one byte for each letter, by how often letters occur: Western,
// Central European, Turkish, Baltic, Cyrillic (Windows-1251, KOI8-R) or Greek. Windows-1252 where nothing decides. In
// lower case.
std::string charset_of_text(std::string_view bytes, std::string_view declared);

// Line ends become '\n'; U+0000 and other control characters are left out. document_too_slow().
base::result<std::string> decode_text(
    std::string bytes, std::string_view declared, reading_budget const& budget
);

} // namespace postrider::agent::knowledge
