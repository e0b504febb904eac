#pragma once
// Looking for a text within a text, in time linear in both.
#include <cstring>
#include <string_view>

namespace postrider::agent::expressions {

// The byte at or behind `from`; npos: nowhere. std::string_view::find takes the product of both
// lengths for texts such as "aaaa".
inline std::size_t find_text(std::string_view text, std::string_view needle, std::size_t from = 0) {
    if (from > text.size()) return text.npos;
    if (needle.empty()) return from;
    auto const* const place =
        memmem(text.data() + from, text.size() - from, needle.data(), needle.size());
    return place ? static_cast<std::size_t>(static_cast<char const*>(place) - text.data())
                 : text.npos;
}

} // namespace postrider::agent::expressions
