#pragma once
// Reads documents as the product does, on a loop.
#include "agent/knowledge/reading/read_document.hpp"
#include "tests/support/loop.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace postrider::agent::knowledge {

inline base::result<document_text> read(
    document_file file, reading_limits limits = {}, std::string pdf_program = "pdftotext"
) {
    tests::loop loop;
    return loop.run(read_document(std::move(file), limits, std::move(pdf_program)));
}

// The reason of the failure; "" = it was read.
inline std::string failure_of(document_file file, reading_limits limits = {}) {
    auto const document = read(std::move(file), limits);
    return document ? std::string() : document.error().reason;
}

// "heading: text", "[table] heading: text", with the page in front: "2 heading: text".
inline std::vector<std::string> lines_of(document_text const& document) {
    std::vector<std::string> lines;
    for (auto const& section : document.sections) {
        std::string line = section.page ? fmt::format("{} ", *section.page) : std::string();
        if (section.kind == section_kind::table) line += "[table] ";
        if (section.kind == section_kind::code) line += "[code] ";
        lines.push_back(line + section.heading + ": " + section.text);
    }
    return lines;
}

inline std::vector<std::string> lines_of(document_file file) {
    auto const document = read(std::move(file));
    if (!document) return {"failed: " + document.error().detail};
    return lines_of(*document);
}

} // namespace postrider::agent::knowledge
