#include "agent/formats/charset.hpp"
#include "agent/knowledge/reading/document_reader.hpp"
#include "agent/knowledge/reading/html_sections.hpp"
#include "agent/knowledge/reading/text_encoding.hpp"
#include "base/ascii.hpp"
#include "base/utf8.hpp"

namespace postrider::agent::knowledge::registered {

namespace {

constexpr std::size_t page_piece_bytes = 16u << 10;

bool is_page(std::string_view bytes) {
    if (formats::charset_of_mark(bytes) == "utf-8") bytes.remove_prefix(3);
    auto const begin = bytes.find_first_not_of(" \t\r\n");
    if (begin == bytes.npos) return false;
    auto const first = base::to_lower(std::string(bytes.substr(begin, 15)));
    return first.starts_with("<!doctype html") || first.starts_with("<html>") ||
           first.starts_with("<html ");
}

std::string charset_of_html(document_file const& file) {
    if (auto named = formats::charset_of(file.media_type); !named.empty()) return named;
    if (auto named = formats::charset_of_declaration(file.bytes); !named.empty()) return named;
    return formats::charset_of_page(file.bytes);
}

base::result<document_text> read_page(document_file file, reading_budget& budget) {
    auto const declared = charset_of_html(file);
    auto const text = decode_text(std::move(file.bytes), declared, budget);
    if (!text) return text.error();
    section_writer writer(budget.limits());
    html_sections page(writer);
    for (std::string_view rest(*text); !rest.empty() && !writer.is_full();) {
        if (auto const time = budget.check(); !time) return time.error();
        auto const piece = base::cut_at_character(rest, page_piece_bytes);
        page.read(piece);
        rest.remove_prefix(piece.size());
    }
    page.finish();
    if (writer.is_full()) return writer.error();
    return writer.finish();
}

} // namespace

extern document_reader const html;
document_reader const html{
    .name = "HTML",
    .media_types = {"text/html", "application/xhtml+xml"},
    .endings = {".html", ".htm", ".xhtml"},
    .has_signature = is_page,
    .read = read_page};

} // namespace postrider::agent::knowledge::registered
