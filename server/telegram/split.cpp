#include "server/telegram/split.hpp"

#include <algorithm>

namespace postrider::telegram {

namespace {

constexpr std::string_view fence = "```";
constexpr std::string_view blank = " \t\r\n";

struct code_point {
    std::uint32_t value = 0;
    std::size_t bytes = 1;
    std::size_t units = 1;
};

// The character at the beginning; a malformed byte stands for itself.
code_point first_of(std::string_view text) noexcept {
    auto const lead = static_cast<unsigned char>(text[0]);
    std::size_t const bytes = lead < 0x80             ? 1
                              : (lead & 0xe0) == 0xc0 ? 2
                              : (lead & 0xf0) == 0xe0 ? 3
                              : (lead & 0xf8) == 0xf0 ? 4
                                                      : 1;
    if (bytes == 1 || bytes > text.size()) return {lead, 1, 1};
    std::uint32_t value = lead & (0xffu >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        auto const next = static_cast<unsigned char>(text[i]);
        if ((next & 0xc0) != 0x80) return {lead, 1, 1};
        value = (value << 6) | (next & 0x3fu);
    }
    return {value, bytes, value >= 0x10000 ? 2u : 1u};
}

// Belongs to the character before it: joiner, variation selector, accent, skin tone.
bool continues(std::uint32_t c) noexcept {
    return c == 0x200d || (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0x300 && c <= 0x36f) ||
           (c >= 0x1f3fb && c <= 0x1f3ff);
}

// How many bytes at most fit into `room` units, up to a boundary of characters.
std::size_t fitting(std::string_view text, std::size_t room) noexcept {
    std::size_t at = 0;
    std::size_t good = 0; // the last place where a character ends
    std::size_t units = 0;
    bool joined = false;
    while (at < text.size()) {
        auto const c = first_of(text.substr(at));
        if (!joined && !continues(c.value)) good = at;
        if (units + c.units > room) return good > 0 ? good : at;
        joined = c.value == 0x200d;
        units += c.units;
        at += c.bytes;
    }
    return at;
}

bool ends_sentence(std::string_view text, std::size_t at) noexcept {
    return at > 0 && (text[at] == ' ' || text[at] == '\n') &&
           std::string_view(".!?").find(text[at - 1]) != std::string_view::npos;
}

// Where to cut a window that is too small for the rest: behind the best boundary of its later half.
std::size_t best_cut(std::string_view window) noexcept {
    auto const least = window.size() / 2;
    auto good = [&](std::size_t at) { return at != window.npos && at >= least; };
    if (auto at = window.rfind("\n\n"); good(at)) return at + 2;
    if (auto at = window.rfind('\n'); good(at)) return at + 1;
    for (auto at = window.size(); at-- > std::max<std::size_t>(least, 1);)
        if (ends_sentence(window, at)) return at + 1;
    if (auto at = window.find_last_of(" \t"); good(at)) return at + 1;
    return window.size();
}

// The opening line of the code block that is open behind the text ("```cpp"), or nothing.
std::string open_fence(std::string_view text, std::string open) {
    while (!text.empty()) {
        auto const end = text.find('\n');
        auto const line = text.substr(0, end);
        if (line.starts_with(fence)) open = open.empty() ? std::string(line) : std::string();
        text = end == text.npos ? std::string_view() : text.substr(end + 1);
    }
    return open;
}

std::string_view without_trailing_blanks(std::string_view text) {
    auto const last = text.find_last_not_of(blank);
    return text.substr(0, last == text.npos ? 0 : last + 1);
}

std::string_view without_leading_blank_lines(std::string_view text) {
    for (;;) {
        auto const first = text.find_first_not_of(blank);
        if (first == text.npos) return {};
        auto const line = text.rfind('\n', first);
        return line == text.npos ? text : text.substr(line + 1);
    }
}

} // namespace

std::size_t utf16_length(std::string_view utf8) noexcept {
    std::size_t units = 0;
    while (!utf8.empty()) {
        auto const c = first_of(utf8);
        units += c.units;
        utf8.remove_prefix(c.bytes);
    }
    return units;
}

std::vector<std::string> split_message(std::string_view text, std::size_t limit) {
    std::vector<std::string> parts;
    std::string open; // the code block that the cut interrupted
    auto rest = without_trailing_blanks(without_leading_blank_lines(text));
    while (!rest.empty()) {
        std::string part = open.empty() ? std::string() : open + "\n";
        auto const used = utf16_length(part);
        if (used + utf16_length(rest) <= limit) {
            parts.push_back(part.append(rest));
            break;
        }
        auto const room = limit - used - fence.size() - 1; // for closing a block
        auto const window = rest.substr(0, std::max<std::size_t>(fitting(rest, room), 1));
        auto const cut = best_cut(window);
        open = open_fence(rest.substr(0, cut), std::move(open));
        if (utf16_length(open) > limit / 2) open = fence; // no language has such a name
        part.append(without_trailing_blanks(rest.substr(0, cut)));
        if (!open.empty()) part.append("\n").append(fence);
        if (part.find_first_not_of(blank) != part.npos) parts.push_back(std::move(part));
        rest = without_leading_blank_lines(rest.substr(cut));
    }
    if (parts.empty()) parts.emplace_back("…");
    return parts;
}

} // namespace postrider::telegram
