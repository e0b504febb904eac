#include "server/terminal/pasted_texts.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::terminal {

namespace {

constexpr std::size_t longest_in_line = 200; // bytes

// A terminal sends the ends of lines as Enter does. The last is no part of what was meant.
std::string text_of(std::string_view bytes) {
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i] == '\n' && i > 0 && bytes[i - 1] == '\r') continue;
        text += bytes[i] == '\r' ? '\n' : bytes[i];
    }
    text.erase(text.find_last_not_of('\n') + 1);
    return base::as_utf8(std::move(text));
}

bool fits_in_line(std::string_view text) {
    return text.size() <= longest_in_line && std::ranges::none_of(text, [](char byte) {
               return static_cast<unsigned char>(byte) < ' ' || byte == '\x7f';
           });
}

} // namespace

std::string pasted_texts::add(std::string_view bytes) {
    auto text = text_of(bytes);
    if (fits_in_line(text)) return text;
    auto const lines = std::ranges::count(text, '\n') + 1;
    auto const size = base::count_characters(text);
    auto mark = fmt::format(
        "[pasted {}: {} {}, {} {}]",
        kept_.size() + 1,
        lines,
        lines == 1 ? "line" : "lines",
        size,
        size == 1 ? "character" : "characters"
    );
    kept_.push_back({mark, std::move(text)});
    return mark;
}

// From left to right, so that a text that holds another's mark stays what it is.
std::string pasted_texts::expand(std::string line) const {
    std::size_t from = 0;
    for (;;) {
        kept_text const* first = nullptr;
        auto first_at = line.npos;
        for (auto const& kept : kept_)
            if (auto const at = line.find(kept.mark, from); at < first_at) {
                first = &kept;
                first_at = at;
            }
        if (!first) return line;
        line.replace(first_at, first->mark.size(), first->text);
        from = first_at + first->text.size();
    }
}

} // namespace postrider::terminal
