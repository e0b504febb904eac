#pragma once
// What a document says: its title and its sections in reading order. All text is valid UTF-8 without U+0000, and lines
// end with '\n'. A value.
#include <optional>
#include <string>
#include <vector>

namespace postrider::agent::knowledge {

// prose: paragraphs with a blank line between them. table: a Markdown table, whose first line is its header and whose
// second one is "| --- |". code: verbatim, without fences.
enum class section_kind { prose, table, code };

struct section {
    std::string heading = {}; // the path of headings: "Install > Debian"; "" = above the first one
    std::optional<int> page = {}; // from 1, of documents that have pages
    section_kind kind = section_kind::prose;
    std::string text; // never blank
};

struct document_text {
    std::string title = {}; // "" = the document names none
    std::optional<int> pages = {};
    std::vector<section> sections = {};
};

} // namespace postrider::agent::knowledge
