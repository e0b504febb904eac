#pragma once
// Splits a document into parts of a size that search and models can use. Pure, and deterministic: the same document
// and size give the same parts. Ten megabytes take about a second: not for the executor's thread (base/on_thread.hpp).
//
// A part lies within one heading and one page. It ends between sections, tables, code blocks, paragraphs, lines or
// sentences, in this order of preference, and never within a character that people see (a grapheme). A table that does
// not fit is split between its rows, and each of its parts begins with the table's header.
#include "agent/knowledge/reading/document_text.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace postrider::agent::knowledge {

// In characters (code points).
struct part_size {
    std::size_t target = 1200; // a part that has reached it is not extended
    std::size_t most = 2000;   // no part is longer
    std::size_t overlap =
        150; // of sentences that a part of prose repeats from the part before it, at most
};

struct document_part {
    std::string text;
    std::string heading = {};
    std::optional<int> page = {};

    bool operator==(document_part const&) const = default;
};

std::vector<document_part> split_into_parts(document_text const& document, part_size size = {});

} // namespace postrider::agent::knowledge
