#include "agent/knowledge/reading/document_reader.hpp"
#include "agent/knowledge/reading/docx_parts.hpp"
#include "agent/knowledge/reading/failures.hpp"
#include "agent/knowledge/reading/zip_archive.hpp"

#include <iterator>

namespace postrider::agent::knowledge::registered {

namespace {

// By the names of its files, which an archive holds unpacked.
bool is_docx(std::string_view bytes) {
    return is_zip(bytes) && bytes.find("word/document") != bytes.npos;
}

// Some programs call it word/document2.xml.
bool is_main_part(std::string_view path) {
    return path.starts_with("word/document") && path.ends_with(".xml");
}

base::result<document_text> read_docx(document_file file, reading_budget& budget) {
    docx_styles styles;
    docx_title core;
    bool has_body = false;
    auto const described =
        read_zip(file.bytes, budget, [&](std::string_view path) -> std::unique_ptr<entry_reader> {
            has_body = has_body || is_main_part(path);
            if (path == "word/styles.xml") return make_xml_reader(styles);
            if (path == "docProps/core.xml") return make_xml_reader(core);
            return nullptr;
        });
    if (!described) return described.error();
    if (!has_body) return broken_document("it has no text part");

    section_writer writer(budget.limits());
    section_writer notes_writer(budget.limits());
    writer.set_title(core.title());
    docx_body body(styles, writer);
    docx_body notes(styles, notes_writer);
    auto const read =
        read_zip(file.bytes, budget, [&](std::string_view path) -> std::unique_ptr<entry_reader> {
            if (is_main_part(path)) return make_xml_reader(body);
            if (path == "word/footnotes.xml" || path == "word/endnotes.xml")
                return make_xml_reader(notes);
            return nullptr;
        });
    if (writer.is_full()) return writer.error();
    if (notes_writer.is_full()) return notes_writer.error();
    if (!read) return read.error();
    auto document = writer.finish();
    auto end = notes_writer.finish();
    std::ranges::move(end.sections, std::back_inserter(document.sections));
    return document;
}

} // namespace

extern document_reader const docx;
document_reader const docx{
    .name = "DOCX",
    .media_types = {"application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
    .endings = {".docx", ".docm", ".dotx"},
    .has_signature = is_docx,
    .read = read_docx};

} // namespace postrider::agent::knowledge::registered
