#include "agent/language/unicode.hpp"

#include <algorithm>
#include <array>
#include <utf8proc.h>

namespace postrider::agent::expressions {

namespace {

constexpr bool is_scalar(char32_t c) noexcept {
    return c < 0xd800 || (c > 0xdfff && c <= 0x10ffff);
}

struct decoded {
    utf8proc_int32_t code_point = 0;
    std::size_t bytes = 1;
};

decoded first_of(std::string_view text) {
    decoded read;
    auto const size = static_cast<utf8proc_ssize_t>(text.size());
    auto const* octets = reinterpret_cast<utf8proc_uint8_t const*>(text.data());
    auto const bytes = utf8proc_iterate(octets, size, &read.code_point);
    if (bytes > 0) read.bytes = static_cast<std::size_t>(bytes);
    return read;
}

template<utf8proc_int32_t (*Map)(utf8proc_int32_t)>
std::string mapped(std::string_view text) {
    std::string converted;
    converted.reserve(text.size());
    while (!text.empty()) {
        auto const next = first_of(text);
        append_utf8(converted, static_cast<char32_t>(Map(next.code_point)));
        text.remove_prefix(next.bytes);
    }
    return converted;
}

bool is_space(utf8proc_int32_t code_point) {
    if ((code_point >= '\t' && code_point <= '\r') || code_point == 0x85) return true;
    switch (utf8proc_category(code_point)) {
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return true;
    default:
        return false;
    }
}

std::size_t begin_of_last(std::string_view text) noexcept {
    auto begin = text.size() - 1;
    while (begin > 0 && base::continues_character(text[begin])) --begin;
    return begin;
}

} // namespace

std::size_t code_points(std::string_view text) noexcept {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) {
        return !base::continues_character(c);
    }));
}

std::size_t offset_of(std::string_view text, std::size_t index) noexcept {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (base::continues_character(text[at])) continue;
        if (index == 0) return at;
        --index;
    }
    return index == 0 ? text.size() : text.npos;
}

bool append_utf8(std::string& text, char32_t code_point) {
    if (!is_scalar(code_point)) return false;
    std::array<utf8proc_uint8_t, 4> octets{};
    auto const bytes =
        utf8proc_encode_char(static_cast<utf8proc_int32_t>(code_point), octets.data());
    text.append(octets.begin(), octets.begin() + bytes);
    return true;
}

std::string lower(std::string_view text) {
    return mapped<utf8proc_tolower>(text);
}

std::string upper(std::string_view text) {
    return mapped<utf8proc_toupper>(text);
}

std::string_view without_space(std::string_view text) {
    while (!text.empty()) {
        auto const next = first_of(text);
        if (!is_space(next.code_point)) break;
        text.remove_prefix(next.bytes);
    }
    while (!text.empty()) {
        auto const last = begin_of_last(text);
        if (!is_space(first_of(text.substr(last)).code_point)) break;
        text = text.substr(0, last);
    }
    return text;
}

std::string reversed(std::string_view text) {
    std::string reversed_text;
    reversed_text.reserve(text.size());
    while (!text.empty()) {
        auto const last = begin_of_last(text);
        reversed_text += text.substr(last);
        text = text.substr(0, last);
    }
    return reversed_text;
}

} // namespace postrider::agent::expressions
