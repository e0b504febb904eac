#include "agent/formats/csv.hpp"

#include "agent/formats/charset.hpp"
#include "agent/knowledge/reading/document_reader.hpp"
#include "agent/knowledge/reading/failures.hpp"
#include "agent/knowledge/reading/section_writer.hpp"
#include "agent/knowledge/reading/text_encoding.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent::knowledge::registered {

namespace {

// Of those that stand outside of quotes in the first line, the most frequent one.
char delimiter_of(std::string_view text) {
    constexpr std::array delimiters{',', ';', '\t', '|'};
    std::array<std::size_t, delimiters.size()> counts{};
    bool is_quoted = false;
    for (char const c : text) {
        if (c == '"') is_quoted = !is_quoted;
        if (is_quoted) continue;
        if (c == '\n') break;
        auto const at = std::ranges::find(delimiters, c) - delimiters.begin();
        if (at < std::ssize(delimiters)) ++counts[static_cast<std::size_t>(at)];
    }
    auto const most = std::ranges::max_element(counts) - counts.begin();
    return delimiters[static_cast<std::size_t>(most)];
}

base::result<document_text> read_rows(document_file file, reading_budget& budget) {
    auto const declared = formats::charset_of(file.media_type);
    auto const text = decode_text(std::move(file.bytes), declared, budget);
    if (!text) return text.error();
    auto const rows = formats::read_csv(*text, delimiter_of(*text));
    if (!rows && rows.error() == base::errc::too_large)
        return document_too_large(rows.error().detail);
    if (!rows) return broken_document(rows.error().detail);
    section_writer writer(budget.limits());
    writer.begin_table();
    for (auto const& row : *rows) {
        if (writer.is_full()) return writer.error();
        if (!budget.has_time()) return document_too_slow();
        writer.begin_row();
        for (auto const& field : row) {
            writer.begin_cell();
            writer.write(field);
        }
    }
    writer.end_table();
    if (writer.is_full()) return writer.error();
    return writer.finish();
}

} // namespace

extern document_reader const csv;
document_reader const csv{
    .name = "CSV",
    .media_types = {"text/csv", "text/tab-separated-values"},
    .endings = {".csv", ".tsv", ".tab"},
    .read = read_rows};

} // namespace postrider::agent::knowledge::registered
