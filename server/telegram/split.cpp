#include "server/telegram/split.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <utf8proc.h>
#include <utility>

namespace postrider::telegram {

namespace {

constexpr std::string_view fence = "```";
constexpr std::string_view blank = " \t\r\n";

struct code_point {
    utf8proc_int32_t value = 0;
    std::size_t bytes = 1;
    std::size_t units = 1;
};

// The character at the beginning; a malformed byte stands for itself.
code_point first_of(std::string_view text) noexcept {
    constexpr utf8proc_int32_t replacement = 0xfffd;
    constexpr std::size_t longest_character = 4;
    auto const* bytes = reinterpret_cast<utf8proc_uint8_t const*>(text.data());
    auto const length = std::min(text.size(), longest_character);
    utf8proc_int32_t value = 0;
    auto const used = utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(length), &value);
    if (used < 1) return {replacement, 1, 1};
    return {value, static_cast<std::size_t>(used), value >= 0x10000 ? 2u : 1u};
}

// How many bytes at most fit into `room` units, up to the end of a grapheme; a grapheme that is longer
// than the room is cut behind a character.
std::size_t fitting(std::string_view text, std::size_t room) noexcept {
    std::size_t at = 0;
    std::size_t last_end = 0; // of a grapheme
    std::size_t units = 0;
    utf8proc_int32_t previous = 0;
    utf8proc_int32_t state = 0;
    while (at < text.size()) {
        auto const next = first_of(text.substr(at));
        if (at > 0 && utf8proc_grapheme_break_stateful(previous, next.value, &state)) last_end = at;
        if (units + next.units > room) return last_end > 0 ? last_end : at;
        previous = next.value;
        units += next.units;
        at += next.bytes;
    }
    return at;
}

// Whether a cut behind this blank leaves it whole: an accent may stand on it.
bool ends_behind(std::string_view text, std::size_t at) noexcept {
    if (at + 1 >= text.size()) return true;
    utf8proc_int32_t state = 0;
    auto const next = first_of(text.substr(at + 1)).value;
    return utf8proc_grapheme_break_stateful(text[at], next, &state);
}

bool ends_sentence(std::string_view text, std::size_t at) noexcept {
    return at > 0 && (text[at] == ' ' || text[at] == '\n') && ends_behind(text, at) &&
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
    for (auto at = window.find_last_of(" \t"); good(at); at = window.find_last_of(" \t", at - 1)) {
        if (ends_behind(window, at)) return at + 1;
        if (at == 0) break;
    }
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

std::vector<std::string> split_message(std::string_view text, std::size_t limit) {
    std::vector<std::string> parts;
    std::string open; // the code block that the cut interrupted
    auto rest = without_trailing_blanks(without_leading_blank_lines(text));
    while (!rest.empty()) {
        std::string part = open.empty() ? std::string() : open + "\n";
        // Most are short, and no text has more UTF-16 units than bytes.
        bool const is_short = part.size() + rest.size() <= limit;
        auto const used = is_short ? 0 : base::utf16_length(part);
        if (is_short || used + base::utf16_length(rest) <= limit) {
            parts.push_back(part.append(rest));
            break;
        }
        auto const room = limit - used - fence.size() - 1; // for closing a block
        auto const window = rest.substr(0, std::max<std::size_t>(fitting(rest, room), 1));
        auto const cut = best_cut(window);
        open = open_fence(rest.substr(0, cut), std::move(open));
        if (base::utf16_length(open) > limit / 2) open = fence; // no language has such a name
        part.append(without_trailing_blanks(rest.substr(0, cut)));
        if (!open.empty()) part.append("\n").append(fence);
        if (part.find_first_not_of(blank) != part.npos) parts.push_back(std::move(part));
        rest = without_leading_blank_lines(rest.substr(cut));
    }
    if (parts.empty()) parts.emplace_back("…");
    return parts;
}

std::vector<agent::message_content> split_content(
    agent::message_content content, std::size_t limit
) {
    std::vector<agent::message_content> parts;
    if (content.media) {
        if (base::utf16_length(content.text) <= std::min(caption_limit, limit / 4)) {
            parts.push_back(std::move(content));
            return parts;
        }
        parts.emplace_back().media = std::exchange(content.media, {});
    }
    auto texts = split_message(content.text, limit);
    if (texts.size() > 1 && content.markup == agent::text_markup::html) {
        content.markup = agent::text_markup::none;
        texts = split_message(agent::without_markup(content.text), limit);
    }
    for (auto& text : texts) {
        auto& part = parts.emplace_back();
        part.text = std::move(text);
        part.markup = content.markup;
    }
    parts.back().buttons = std::move(content.buttons);
    return parts;
}

} // namespace postrider::telegram
