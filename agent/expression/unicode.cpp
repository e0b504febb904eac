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

// Bytes of a code point by its first one; 0: no code point begins so.
constexpr std::size_t length_by(unsigned char first) noexcept {
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first < 0xe0) return 2;
    if (first >= 0xe0 && first < 0xf0) return 3;
    return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

constexpr char32_t least_by(std::size_t length) noexcept {
    return length == 4 ? 0x10000 : length == 3 ? 0x800 : 0;
}

} // namespace

bool is_utf8(std::string_view text) noexcept {
    while (!text.empty()) {
        auto const first = static_cast<unsigned char>(text.front());
        auto const length = length_by(first);
        if (length == 0 || text.size() < length) return false;
        char32_t value = length == 1 ? first : first & (0x7fu >> length);
        for (std::size_t i = 1; i < length; ++i) {
            if (!continues(text[i])) return false;
            value = value << 6 | (static_cast<unsigned char>(text[i]) & 0x3fu);
        }
        if (!is_scalar(value) || value < least_by(length)) return false;
        text.remove_prefix(length);
    }
    return true;
}

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
