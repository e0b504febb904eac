#pragma once
// Writes a text with styles from its beginning to its end: lines with their indentation and bullets, stretches
// with a style, and ||spoilers||. A value that is used up by finish().
#include "server/telegram/styled_text.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::telegram {

class styled_writer {
public:
    // So many newlines at least stand between what is there and what comes next.
    void separate(std::size_t newlines) { pending_ = std::max(pending_, newlines); }
    // Words without "\n"; a mark || begins a spoiler, or ends it.
    void write(std::string_view words);
    void write_with_spoilers(std::string_view words);
    // As they are, with all their lines, behind what began the line.
    void write_code(std::string_view lines);

    void open(text_style style, std::string detail = {});
    // The one that was opened last, if it has that style. A link without words shows its address.
    void close(text_style style);
    // A mark that is open is no spoiler's.
    void end_spoilers() { spoiler_.reset(); }

    // Stands before the next words, and what it belongs to is indented by so many blanks.
    void begin_item(std::string bullet, std::string_view indent);
    void end_item();
    // At the beginning of each line.
    void indent(std::string_view more);
    void end_indent();

    styled_text finish();

private:
    void begin_line();
    void mark_spoiler();

    styled_text styled_;
    std::vector<std::size_t> open_;      // spans, by index
    std::vector<std::size_t> erased_;    // where a mark of a spoiler is no part of the text
    std::optional<std::size_t> spoiler_; // where one may begin
    std::string indent_;
    std::string bullet_; // of the item that has no text yet
    std::vector<std::size_t> indents_;
    std::size_t pending_ = 0; // newlines
};

} // namespace postrider::telegram
