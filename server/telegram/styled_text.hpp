#pragma once
// A text with styles, as Telegram has it: what people see, and which stretches of it look how. It can be
// cut anywhere and is well-formed HTML on both sides of the cut. Pure.
//
// Telegram's rules (core.telegram.org/bots/api#formatting-options): code has no other style in it, a link
// has no code in it, quotes do not nest.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::telegram {

enum class text_style { bold, italic, strike, spoiler, code, block, link, quote };

// Bytes [begin, end) of the text.
struct styled_span {
    text_style style;
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string detail = {}; // of a link its address, of a block its language; may be empty
};

struct styled_text {
    std::string text;
    std::vector<styled_span> spans = {}; // in the order of their beginnings, the outer one first
};

// Bytes [begin, end) of the text in Telegram's HTML: a hundred styles at most, of which links are left out last.
std::string html_of(styled_text const& styled, std::size_t begin, std::size_t end);

} // namespace postrider::telegram
