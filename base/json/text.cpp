#include "base/json/text.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace postrider::base {

namespace {

namespace json = boost::json;

// Bytes that cannot stand in a JSON string as they are.
constexpr auto special = [] {
    std::array<bool, 256> table{};
    for (std::size_t c = 0; c < 0x20; ++c) table[c] = true;
    table['"'] = table['\\'] = true;
    return table;
}();

constexpr std::uint64_t each_byte(unsigned char value) {
    return 0x0101010101010101u * value;
}
constexpr std::uint64_t high_bits = each_byte(0x80);

// Not 0 when one of eight ASCII bytes is the character, or one of those below `bound`.
constexpr std::uint64_t holds(std::uint64_t bytes, char character) {
    auto const zero_there = bytes ^ each_byte(static_cast<unsigned char>(character));
    return (zero_there - each_byte(1)) & ~zero_there & high_bits;
}
constexpr std::uint64_t holds_below(std::uint64_t bytes, unsigned char bound) {
    return (bytes - each_byte(bound)) & ~bytes & high_bits;
}

// Of characters beyond ASCII it holds none.
std::uint64_t special_ones(std::uint64_t bytes) noexcept {
    return holds(bytes, '"') | holds(bytes, '\\') | holds_below(bytes, 0x20);
}

bool are_plain(std::uint64_t bytes) noexcept {
    return ((bytes & high_bits) | special_ones(bytes)) == 0;
}

// The place of the next special character; the size when there is none.
std::size_t find_special(std::string_view text, std::size_t from) noexcept {
    std::uint64_t bytes = 0;
    for (; text.size() - from >= sizeof bytes; from += sizeof bytes) {
        std::memcpy(&bytes, text.data() + from, sizeof bytes);
        if (special_ones(bytes) != 0) break;
    }
    while (from < text.size() && !special[static_cast<unsigned char>(text[from])]) ++from;
    return from;
}

// ASCII that can stand in a JSON string as it is; eight bytes at a time.
bool is_plain(std::string_view text) noexcept {
    std::uint64_t bytes = 0;
    while (text.size() >= sizeof bytes) {
        std::memcpy(&bytes, text.data(), sizeof bytes);
        if (!are_plain(bytes)) return false;
        text.remove_prefix(sizeof bytes);
    }
    if (text.empty()) return true;
    bytes = each_byte(' ');
    std::memcpy(&bytes, text.data(), text.size());
    return are_plain(bytes);
}

void append_special(std::string& to, char c, nul nuls) {
    if (c == '"' || c == '\\')
        to.append({'\\', c});
    else if (c == '\n')
        to += "\\n";
    else if (c == '\0' && nuls == nul::replaced)
        to += "\xEF\xBF\xBD";
    else
        fmt::format_to(std::back_inserter(to), "\\u{:04x}", static_cast<int>(c));
}

void append(std::string& to, fmt::format_int const& number) {
    to.append(number.data(), number.size());
}

// 0.00002, where the shortest form is 2e-05: down to what money is counted in here.
void append(std::string& to, double number) {
    auto text = fmt::format("{}", number);
    if (auto const e = text.find("e-0"); e != text.npos) {
        auto const exponent = text.back() - '0';
        auto const digits =
            std::count_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(e), [](char c) {
                return c >= '0' && c <= '9';
            });
        if (exponent <= 6) text = fmt::format("{:.{}f}", number, exponent + digits - 1);
    }
    to += text;
}

// Quoted, between the two characters where they are any. Most texts are names: what stands around
// them goes with them, in place of a call for each.
void append_plain(std::string& to, std::string_view text, char before = 0, char behind = 0) {
    constexpr std::size_t most = 60;
    if (text.size() > most) {
        if (before) to += before;
        to.append("\"").append(text).append("\"");
        if (behind) to += behind;
        return;
    }
    std::array<char, most + 4> written;
    auto* end = written.data();
    if (before) *end++ = before;
    *end++ = '"';
    end = std::copy(text.begin(), text.end(), end);
    *end++ = '"';
    if (behind) *end++ = behind;
    to.append(written.data(), static_cast<std::size_t>(end - written.data()));
}

} // namespace

std::string json_text(json::value const& value) {
    std::string text;
    append_json(text, value, nul::escaped);
    return text;
}

std::string json_text(json::object const& members) {
    std::string text;
    append_json(text, members, nul::escaped);
    return text;
}

std::string json_text(json::array const& items) {
    std::string text;
    append_json(text, items, nul::escaped);
    return text;
}

void append_json(std::string& to, std::string_view text, nul nuls) {
    if (is_plain(text)) return append_plain(to, text);
    if (!is_utf8(text)) return append_json(to, as_utf8(std::string(text)), nuls);
    to += '"';
    std::size_t copied = 0;
    for (auto i = find_special(text, 0); i < text.size(); i = find_special(text, copied)) {
        to.append(text, copied, i - copied);
        append_special(to, text[i], nuls);
        copied = i + 1;
    }
    to.append(text, copied);
    to += '"';
}

void append_json(std::string& to, json::value const& value, nul nuls) {
    switch (value.kind()) {
    case json::kind::null:
        to += "null";
        break;
    case json::kind::bool_:
        to += value.get_bool() ? "true" : "false";
        break;
    case json::kind::int64:
        append(to, fmt::format_int(value.get_int64()));
        break;
    case json::kind::uint64:
        append(to, fmt::format_int(value.get_uint64()));
        break;
    case json::kind::double_:
        if (std::isfinite(value.get_double()))
            append(to, value.get_double());
        else
            to += "null";
        break;
    case json::kind::string:
        append_json(to, std::string_view(value.get_string()), nuls);
        break;
    case json::kind::array:
        append_json(to, value.get_array(), nuls);
        break;
    case json::kind::object:
        append_json(to, value.get_object(), nuls);
        break;
    }
}

void append_json(std::string& to, json::array const& items, nul nuls) {
    to += '[';
    for (auto const& item : items) {
        append_json(to, item, nuls);
        to += ',';
    }
    if (!items.empty()) to.pop_back();
    to += ']';
}

void append_json(std::string& to, json::object const& members, nul nuls) {
    if (members.empty()) {
        to += "{}";
        return;
    }
    char before = '{';
    for (auto const& [name, value] : members) {
        if (is_plain(name)) {
            append_plain(to, name, before, ':');
        } else {
            to += before;
            append_json(to, std::string_view(name), nuls);
            to += ':';
        }
        append_json(to, value, nuls);
        before = ',';
    }
    to += '}';
}

} // namespace postrider::base
