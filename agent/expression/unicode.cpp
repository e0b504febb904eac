#include "agent/expression/unicode.hpp"

#include <algorithm>

namespace postrider::agent::expressions {

namespace {

constexpr bool continues(char c) noexcept {
    return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

constexpr bool is_scalar(char32_t c) noexcept {
    return c < 0xd800 || (c > 0xdfff && c <= 0x10ffff);
}

} // namespace

std::size_t code_points(std::string_view text) noexcept {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) {
        return !continues(c);
    }));
}

std::size_t offset_of(std::string_view text, std::size_t index) noexcept {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (continues(text[at])) continue;
        if (index == 0) return at;
        --index;
    }
    return index == 0 ? text.size() : text.npos;
}

bool append_utf8(std::string& text, char32_t code_point) {
    if (!is_scalar(code_point)) return false;
    auto const tail = [&](int shift) {
        text += static_cast<char>(0x80 | ((code_point >> shift) & 0x3f));
    };
    if (code_point < 0x80) {
        text += static_cast<char>(code_point);
    } else if (code_point < 0x800) {
        text += static_cast<char>(0xc0 | (code_point >> 6));
        tail(0);
    } else if (code_point < 0x10000) {
        text += static_cast<char>(0xe0 | (code_point >> 12));
        tail(6), tail(0);
    } else {
        text += static_cast<char>(0xf0 | (code_point >> 18));
        tail(12), tail(6), tail(0);
    }
    return true;
}

std::string shortened(std::string_view text, std::size_t bytes) {
    if (text.size() <= bytes) return std::string(text);
    while (bytes > 0 && continues(text[bytes])) --bytes;
    return std::string(text.substr(0, bytes)) + "…";
}

} // namespace postrider::agent::expressions
