#pragma once
// Long texts in parts that Telegram takes: at most 4096 UTF-16 code units a message. Pure.
//
// A cut falls behind a paragraph, else a line, a sentence, a word, and only then inside a word;
// never inside a grapheme (an accented letter, a flag, a joined emoji, a syllable block; UAX #29), as
// long as that fits into a message. A fenced code block that is cut is closed in its part
// and opened again in the next. No part is empty or blank.
#include "agent/talk/content.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::telegram {

// 4096 without a margin would break on an entity that we did not count.
inline constexpr std::size_t message_limit = 4000;

inline constexpr std::size_t caption_limit = 1000;

// A longer text goes as a document: nobody reads more messages in a row.
inline constexpr std::size_t most_text_parts = 6;

// At least one part; a text without a visible character becomes "…". `limit` is at least 64.
std::vector<std::string> split_message(std::string_view text, std::size_t limit = message_limit);

// The same of a whole message. A caption that is too long for its media follows it as a text; the
// buttons are at the last part. Markdown becomes HTML, each part with all its tags, or plain text where it has
// no style. HTML that is cut loses its markup, of which a tag may be cut.
std::vector<agent::message_content> split_content(
    agent::message_content content, std::size_t limit = message_limit
);

// The same as it is sent: of a text in more than most_text_parts the first part, and behind it a document
// with the whole text, "message.md" of Markdown and "message.txt" of any other.
std::vector<agent::message_content> messages_of(agent::message_content content);

} // namespace postrider::telegram
