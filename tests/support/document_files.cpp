#include "tests/support/document_files.hpp"

#include "base/texts.hpp"

#include <fmt/format.h>

#include <archive.h>
#include <archive_entry.h>
#include <memory>
#include <stdexcept>

namespace postrider::tests {

namespace {

void require(int outcome) {
    if (outcome != ARCHIVE_OK) throw std::runtime_error("the archive cannot be written");
}

int free_writer(archive* writer) {
    return archive_write_free(writer);
}

la_ssize_t append_to(archive*, void* text, void const* bytes, std::size_t size) {
    static_cast<std::string*>(text)->append(static_cast<char const*>(bytes), size);
    return static_cast<la_ssize_t>(size);
}

// Calls back with the place of each header of a file: local ones, then those of the directory.
template<class F>
void for_each_header(std::string const& zip, F call) {
    using namespace std::string_view_literals;
    for (auto at = zip.find("PK\3\4"sv); at != zip.npos; at = zip.find("PK\3\4"sv, at + 4))
        call(at, true);
    for (auto at = zip.find("PK\1\2"sv); at != zip.npos; at = zip.find("PK\1\2"sv, at + 4))
        call(at, false);
}

constexpr std::string_view styles = R"(<?xml version="1.0" encoding="UTF-8"?>
<w:styles xmlns:w="x">
<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/></w:style>
<w:style w:type="paragraph" w:styleId="Heading3"><w:name w:val="Heading 3"/></w:style>
<w:style w:type="paragraph" w:styleId="Derived"><w:name w:val="Mine"/><w:basedOn w:val="Heading2"/></w:style>
<w:style w:type="paragraph" w:styleId="Outlined"><w:name w:val="Own"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="Code"><w:name w:val="HTML Preformatted"/></w:style>
</w:styles>)";

} // namespace

std::string make_zip(zip_files const& files) {
    std::string zip;
    std::unique_ptr<archive, int (*)(archive*)> const writer(archive_write_new(), free_writer);
    require(archive_write_set_format_zip(writer.get()));
    require(archive_write_set_bytes_in_last_block(writer.get(), 1));
    require(archive_write_open(writer.get(), &zip, nullptr, append_to, nullptr));
    for (auto const& [path, content] : files) {
        bool const is_stored = path == "mimetype";
        require(
            is_stored ? archive_write_zip_set_compression_store(writer.get())
                      : archive_write_zip_set_compression_deflate(writer.get())
        );
        std::unique_ptr<archive_entry, void (*)(archive_entry*)> const entry(
            archive_entry_new(), archive_entry_free
        );
        archive_entry_set_pathname(entry.get(), path.c_str());
        archive_entry_set_size(entry.get(), static_cast<la_int64_t>(content.size()));
        archive_entry_set_filetype(entry.get(), AE_IFREG);
        archive_entry_set_perm(entry.get(), 0644);
        require(archive_write_header(writer.get(), entry.get()));
        auto const written = archive_write_data(writer.get(), content.data(), content.size());
        if (written != static_cast<la_ssize_t>(content.size())) require(ARCHIVE_FATAL);
    }
    require(archive_write_close(writer.get()));
    return zip;
}

std::string with_declared_sizes(std::string zip, unsigned bytes) {
    for_each_header(zip, [&](std::size_t at, bool is_local) {
        for (unsigned i = 0; i < 4; ++i)
            zip[at + (is_local ? 22 : 24) + i] = static_cast<char>(bytes >> (8 * i) & 0xff);
    });
    return zip;
}

std::string with_encrypted_files(std::string zip) {
    for_each_header(zip, [&](std::size_t at, bool is_local) {
        auto& flags = zip[at + (is_local ? 6 : 8)];
        flags = static_cast<char>(flags | 1);
    });
    return zip;
}

std::string docx_paragraph(std::string_view text, std::string_view style) {
    auto const properties = style.empty()
                                ? std::string()
                                : fmt::format(R"(<w:pPr><w:pStyle w:val="{}"/></w:pPr>)", style);
    return fmt::format(
        "<w:p>{}<w:r><w:t xml:space=\"preserve\">{}</w:t></w:r></w:p>", properties, text
    );
}

std::string make_docx(std::string_view body, zip_files const& others) {
    zip_files files{
        {"[Content_Types].xml", "<Types/>"},
        {"word/document.xml",
         fmt::format(
             R"(<?xml version="1.0"?><w:document xmlns:w="x"><w:body>{}</w:body></w:document>)",
             body
         )},
        {"word/styles.xml", std::string(styles)}};
    files.insert(files.end(), others.begin(), others.end());
    return make_zip(files);
}

std::string make_epub(std::vector<epub_chapter> const& chapters, zip_files const& others) {
    std::string manifest;
    std::string spine;
    zip_files texts;
    for (std::size_t i = 0; i < chapters.size(); ++i) {
        auto reference = chapters[i].path;
        base::replace_all(reference, " ", "%20");
        manifest += fmt::format(
            R"(<item id="c{0}" href="{1}" media-type="application/xhtml+xml"/>)", i, reference
        );
        spine += fmt::format(R"(<itemref idref="c{}"/>)", i);
        texts.insert(texts.begin(), {"OEBPS/" + chapters[i].path, chapters[i].html});
    }
    zip_files files{
        {"mimetype", "application/epub+zip"},
        {"META-INF/container.xml",
         R"(<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>)"},
        {"OEBPS/book.opf",
         fmt::format(
             R"(<package><metadata xmlns:dc="x"><dc:title>A book</dc:title></metadata>)"
             R"(<manifest>{}</manifest><spine>{}</spine></package>)",
             manifest,
             spine
         )}};
    files.insert(files.end(), texts.begin(), texts.end());
    files.insert(files.end(), others.begin(), others.end());
    return make_zip(files);
}

std::string make_pdf(std::vector<std::vector<std::string>> const& pages) {
    std::string kids;
    for (std::size_t i = 0; i < pages.size(); ++i) kids += fmt::format("{} 0 R ", 4 + 2 * i);
    std::vector<std::string> objects{
        "<< /Type /Catalog /Pages 2 0 R >>",
        fmt::format("<< /Type /Pages /Count {} /Kids [{}] >>", pages.size(), kids),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"};
    for (auto const& lines : pages) {
        std::string text = "BT /F1 12 Tf 72 720 Td 14 TL ";
        for (auto const& line : lines) text += "(" + line + ") Tj T* ";
        text += "ET";
        objects.push_back(fmt::format(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] "
            "/Resources << /Font << /F1 3 0 R >> >> /Contents {} 0 R >>",
            objects.size() + 2
        ));
        objects.push_back(fmt::format("<< /Length {} >>\nstream\n{}\nendstream", text.size(), text)
        );
    }
    std::string pdf = "%PDF-1.4\n";
    std::string table = fmt::format("xref\n0 {}\n0000000000 65535 f \n", objects.size() + 1);
    for (std::size_t i = 0; i < objects.size(); ++i) {
        table += fmt::format("{:010} 00000 n \n", pdf.size());
        pdf += fmt::format("{} 0 obj\n{}\nendobj\n", i + 1, objects[i]);
    }
    auto const place = pdf.size();
    pdf += table;
    pdf += fmt::format(
        "trailer << /Size {} /Root 1 0 R >>\nstartxref\n{}\n%%EOF\n", objects.size() + 1, place
    );
    return pdf;
}

std::string with_pdf_password(std::string pdf) {
    std::string const id = "<0123456789abcdef0123456789abcdef>";
    auto const key = fmt::format("<{}>", std::string(64, '4'));
    auto const trailer = pdf.rfind("trailer << ") + 11;
    pdf.insert(
        trailer,
        fmt::format(
            "/ID [{0} {0}] /Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O {1} /U {1} "
            ">> ",
            id,
            key
        )
    );
    return pdf;
}

} // namespace postrider::tests
