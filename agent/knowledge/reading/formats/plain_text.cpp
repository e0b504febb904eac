#include "agent/formats/charset.hpp"
#include "agent/knowledge/reading/document_reader.hpp"
#include "agent/knowledge/reading/paragraphs.hpp"
#include "agent/knowledge/reading/text_encoding.hpp"

namespace postrider::agent::knowledge::registered {

namespace {

base::result<document_text> read_plain_text(document_file file, reading_budget& budget) {
    auto const declared = formats::charset_of(file.media_type);
    auto const text = decode_text(std::move(file.bytes), declared, budget);
    if (!text) return text.error();
    section_writer writer(budget.limits());
    write_paragraphs(writer, *text);
    if (writer.is_full()) return writer.error();
    return writer.finish();
}

} // namespace

extern document_reader const plain_text;
document_reader const plain_text{
    .name = "plain text",
    .media_types = {"text/plain"},
    .endings = {".txt", ".text", ".log"},
    .read = read_plain_text};

} // namespace postrider::agent::knowledge::registered
