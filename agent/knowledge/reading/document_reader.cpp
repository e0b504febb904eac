#include "agent/knowledge/reading/document_reader.hpp"

#include "agent/knowledge/reading/failures.hpp"
#include "agent/knowledge/reading/text_encoding.hpp"
#include "base/ascii.hpp"

#include <algorithm>

namespace postrider::agent::knowledge {

namespace registered {

#define DOCUMENT_FORMAT(name) extern document_reader const name;
#include "agent/knowledge/reading/formats.def"
#undef DOCUMENT_FORMAT

} // namespace registered

namespace {

using namespace std::string_view_literals;

// Microsoft's compound files: older documents of Word, and newer ones that are encrypted.
constexpr auto compound_file = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv;
// The name of a stream of theirs, in UTF-16.
constexpr auto encrypted_package = "E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0"sv;

// Texts for machines, which nobody means as a document.
bool is_program_text(std::string_view bytes) {
    return bytes.starts_with("{\\rtf") || bytes.starts_with("%!PS");
}

// Without parameters, in lower case.
std::string media_type_alone(std::string_view declared) {
    auto type = declared.substr(0, declared.find(';'));
    while (type.ends_with(' ')) type.remove_suffix(1);
    return base::to_lower(std::string(type));
}

// Of "https://example.com/report.PDF?x=y#z": "report.pdf".
std::string last_of_path(std::string_view name) {
    if (name.find("://") != name.npos) name = name.substr(0, name.find_first_of("?#"));
    return base::to_lower(std::string(name.substr(name.find_last_of("/\\") + 1)));
}

document_reader const* reader_of_declaration(document_file const& file) {
    auto const type = media_type_alone(file.media_type);
    auto const name = last_of_path(file.name);
    auto const has_type = [&](auto const* reader) {
        return std::ranges::find(reader->media_types, type) != reader->media_types.end();
    };
    auto const has_ending = [&](auto const* reader) {
        return std::ranges::any_of(reader->endings, [&](auto ending) {
            return name.ends_with(ending);
        });
    };
    // Servers declare Markdown and CSV as plain text.
    bool const says_nothing = type.empty() || type == "application/octet-stream" ||
                              type == "text/plain" || type == "application/zip";
    auto const& all = document_readers();
    if (!says_nothing)
        if (auto const at = std::ranges::find_if(all, has_type); at != all.end()) return *at;
    auto const at = std::ranges::find_if(all, has_ending);
    return at == all.end() ? nullptr : *at;
}

} // namespace

std::vector<document_reader const*> const& document_readers() {
    static std::vector<document_reader const*> const list{
#define DOCUMENT_FORMAT(name) &registered::name,
#include "agent/knowledge/reading/formats.def"
#undef DOCUMENT_FORMAT
    };
    return list;
}

base::result<document_reader const*> reader_of(document_file const& file) {
    std::string_view const bytes = file.bytes;
    if (bytes.starts_with(compound_file)) {
        bool const is_encrypted = bytes.find(encrypted_package) != bytes.npos;
        return is_encrypted ? encrypted_document() : unsupported_document();
    }
    for (auto const* reader : document_readers())
        if (reader->has_signature && reader->has_signature(bytes)) return reader;
    auto const* declared = reader_of_declaration(file);
    bool const is_text = looks_like_text(bytes) && !is_program_text(bytes);
    // A text that is declared as an archive is a broken one, and so are other bytes that are declared as a text.
    if (declared && (declared->has_signature || is_text)) return declared;
    if (is_text) return document_readers().back();
    return unsupported_document();
}

base::result<document_text> parse_document(
    document_reader const& reader, document_file file, reading_budget& budget
) {
    auto document = reader.read(std::move(file), budget);
    if (!document) return document.error();
    if (!budget.has_time()) return document_too_slow();
    if (document->sections.empty() && document->pages)
        return document_without_text("its pages may be scanned pictures");
    if (document->sections.empty()) return document_without_text("it is empty");
    return document;
}

} // namespace postrider::agent::knowledge
