#include "base/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace postrider::base {

namespace {

bool is_control(char c) {
    auto const byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
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

// Bytes of the character that the text begins with; 0: it begins with none.
std::size_t first_character(std::string_view text) noexcept {
    auto const first = static_cast<unsigned char>(text.front());
    auto const length = length_by(first);
    if (length == 0 || text.size() < length) return 0;
    char32_t value = length == 1 ? first : first & (0x7fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if (!continues_character(text[i])) return 0;
        value = value << 6 | (static_cast<unsigned char>(text[i]) & 0x3fu);
    }
    return is_scalar(value) && value >= least_by(length) ? length : 0;
}

} // namespace

bool is_utf8(std::string_view text) noexcept {
    auto const first_other = std::ranges::find_if(text, [](char c) { return (c & 0x80) != 0; });
    text.remove_prefix(static_cast<std::size_t>(first_other - text.begin()));
    while (!text.empty()) {
        auto const length = first_character(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string as_utf8(std::string text) {
    if (is_utf8(text)) return text;
    std::string valid;
    for (std::string_view rest = text; !rest.empty();) {
        auto const length = first_character(rest);
        if (length == 0)
            valid += "\xef\xbf\xbd";
        else
            valid += rest.substr(0, length);
        rest.remove_prefix(length == 0 ? 1 : length);
    }
    return valid;
}

// Eight bytes at once: each turn counts its whole window.
std::size_t count_characters(std::string_view text) noexcept {
    constexpr std::uint64_t lowest_bits = 0x0101010101010101;
    auto count = text.size();
    for (; text.size() >= sizeof(std::uint64_t); text.remove_prefix(sizeof(std::uint64_t))) {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, text.data(), sizeof bytes);
        auto const continuing = (bytes >> 7) & ~(bytes >> 6) & lowest_bits;
        count -= continuing * lowest_bits >> 56;
    }
    return count - static_cast<std::size_t>(std::ranges::count_if(text, continues_character));
}

std::size_t utf16_length(std::string_view text) noexcept {
    std::size_t units = 0;
    while (!text.empty()) {
        auto const length = first_character(text);
        units += length == 4 ? 2 : 1;
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return units;
}

std::optional<std::size_t> byte_of_utf16(std::string_view text, std::int64_t unit) noexcept {
    std::int64_t units = 0;
    std::size_t at = 0;
    while (at < text.size() && units < unit) {
        units += static_cast<unsigned char>(text[at]) >= 0xf0 ? 2 : 1;
        ++at;
        while (at < text.size() && continues_character(text[at])) ++at;
    }
    if (units != unit) return std::nullopt;
    return at;
}

std::string_view cut_at_character(std::string_view text, std::size_t bytes) noexcept {
    constexpr int longest = 4;
    if (text.size() <= bytes) return text;
    auto end = bytes;
    for (int i = 1; i < longest && end > 0 && continues_character(text[end]); ++i) --end;
    return text.substr(0, continues_character(text[end]) ? bytes : end);
}

std::string shortened(std::string_view text, std::size_t bytes) {
    if (text.size() <= bytes) return std::string(text);
    return std::string(cut_at_character(text, bytes)) + "…";
}

std::string printable(std::string_view text) {
    std::string shown(text);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if (is_control(shown[i]) && shown[i] != '\n' && shown[i] != '\t') shown[i] = '?';
        // U+0080 to U+009F are control characters too: C2 80 to C2 9F.
        auto at = [&](std::size_t n) { return static_cast<unsigned char>(shown[n]); };
        if (i + 1 < shown.size() && at(i) == 0xc2 && at(i + 1) < 0xa0) shown.replace(i, 2, "?");
    }
    return shown;
}

} // namespace postrider::base
