#include "server/telegram/split.hpp"

#include "base/utf8.hpp"
#include "server/telegram/markdown.hpp"

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

// Behind the part of the text that fits into a message.
std::size_t end_of_part(std::string_view text, std::size_t room) {
    constexpr std::size_t most_bytes = 3; // of a unit
    bool const may_fit = text.size() <= most_bytes * room;
    if (may_fit && base::utf16_length(text) <= room) return text.size();
    return best_cut(text.substr(0, std::max<std::size_t>(fitting(text, room), 1)));
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

std::string_view trimmed(std::string_view text) {
    return without_trailing_blanks(without_leading_blank_lines(text));
}

// Telegram reads at most 32,768 bytes of HTML; the addresses of links count there alone.
constexpr std::size_t most_html = 30'000;

agent::message_content part_of(styled_text const& styled, std::string_view visible) {
    agent::message_content part;
    auto const begin = static_cast<std::size_t>(visible.data() - styled.text.data());
    part.text = std::string(visible);
    auto html = html_of(styled, begin, begin + visible.size());
    if (html.find('<') == html.npos || html.size() > most_html) return part;
    part.text = std::move(html);
    part.markup = agent::text_markup::html;
    return part;
}

// Each part has all its tags.
std::vector<agent::message_content> split_styled(styled_text const& styled, std::size_t limit) {
    std::vector<agent::message_content> parts;
    auto rest = trimmed(styled.text);
    while (!rest.empty()) {
        auto const end = end_of_part(rest, limit);
        parts.push_back(part_of(styled, without_trailing_blanks(rest.substr(0, end))));
        rest = without_leading_blank_lines(rest.substr(end));
    }
    if (parts.empty()) parts.push_back({.text = "…"});
    return parts;
}

std::vector<agent::message_content> split_text(
    agent::message_content const& content, std::size_t limit
) {
    if (content.markup == agent::text_markup::markdown)
        return split_styled(read_markdown(content.text), limit);
    auto texts = split_message(content.text, limit);
    auto markup = content.markup;
    if (texts.size() > 1 && markup == agent::text_markup::html) {
        markup = agent::text_markup::none;
        texts = split_message(agent::without_markup(content.text), limit);
    }
    std::vector<agent::message_content> parts;
    for (auto& text : texts) parts.push_back({.text = std::move(text), .markup = markup});
    return parts;
}

base::awaitable<base::result<std::string>> bytes_of(std::string text) {
    co_return text;
}

agent::message_content document_of(agent::message_content const& content) {
    bool const is_markdown = content.markup == agent::text_markup::markdown;
    bool const is_html = content.markup == agent::text_markup::html;
    agent::upload file;
    file.name = is_markdown ? "message.md" : "message.txt";
    file.type = is_markdown ? "text/markdown" : "text/plain";
    file.load = [text = is_html ? agent::without_markup(content.text) : content.text] {
        return bytes_of(text);
    };
    agent::media document{agent::media_kind::document, file.name};
    document.upload = std::move(file);
    return {.text = {}, .media = std::move(document)};
}

} // namespace

std::vector<std::string> split_message(std::string_view text, std::size_t limit) {
    std::vector<std::string> parts;
    std::string open; // the code block that the cut interrupted
    auto rest = trimmed(text);
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
        auto const cut = end_of_part(rest, room);
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
    auto media = std::exchange(content.media, {});
    auto buttons = std::exchange(content.buttons, {});
    std::vector<agent::message_content> parts(1);
    if (!media || !content.text.empty())
        parts = split_text(content, media ? std::min(caption_limit, limit / 4) : limit);
    if (media && parts.size() > 1) {
        parts = split_text(content, limit);
        parts.emplace(parts.begin());
    }
    for (auto& part : parts) part.link_preview = content.link_preview;
    parts.front().media = std::move(media);
    parts.back().buttons = std::move(buttons);
    return parts;
}

std::vector<agent::message_content> messages_of(agent::message_content content) {
    auto parts = split_content(content);
    // Media whose caption is too long go before the text.
    std::size_t const first_text = content.media && parts.front().text.empty() ? 1 : 0;
    if (parts.size() - first_text <= most_text_parts) return parts;
    auto document = document_of(content);
    document.buttons = std::move(parts.back().buttons);
    parts.resize(first_text + 1);
    parts.push_back(std::move(document));
    return parts;
}

} // namespace postrider::telegram
