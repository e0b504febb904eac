#pragma once
// A section cut into the pieces of which parts are made: paragraphs, sentences, rows and lines. Pure.
#include "agent/knowledge/reading/document_parts.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::knowledge {

struct document_piece {
    std::string text;
    std::size_t size = 0;         // code points
    std::string_view joint = {};  // between it and the piece before it, in the same part
    std::string_view header = {}; // of its table: before it, where a part begins with it
    bool is_prose = false;
};

// Pieces are not longer than `most` with their headers. They refer to the section.
std::vector<document_piece> pieces_of(section const& section, part_size const& size);

} // namespace postrider::agent::knowledge
