#pragma once
// Markdown, as models write it, as a text with styles: CommonMark by md4c, with tables, strikethrough, task
// lists and ||spoilers||. What Telegram has no style for is said in characters: bullets, numbers, columns of
// a table. HTML stays text. Every text is Markdown, so nothing fails. Pure, in time linear in the text.
#include "server/telegram/styled_text.hpp"

namespace postrider::telegram {

// Of more than `longest_markdown` bytes, or with huge tables, the text as it stands.
inline constexpr std::size_t longest_markdown = 128 * 1024;

styled_text read_markdown(std::string_view markdown);

} // namespace postrider::telegram
