#pragma once
// Documents as files, made for tests: archives, DOCX, EPUB and PDF.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postrider::tests {

// Paths and contents, in the archive's order.
using zip_files = std::vector<std::pair<std::string, std::string>>;

// Those called "mimetype" are stored, others are deflated.
std::string make_zip(zip_files const& files);
// The same archive, in which each of its files says that it has so many bytes.
std::string with_declared_sizes(std::string zip, unsigned bytes);
// The same archive, in which each of its files says that it is encrypted.
std::string with_encrypted_files(std::string zip);

// Styles: "Heading1" to "Heading3", "Title", "Code", and "Derived", which is based on "Heading2".
std::string make_docx(std::string_view body, zip_files const& others = {});
std::string docx_paragraph(std::string_view text, std::string_view style = {});

struct epub_chapter {
    std::string path; // below OEBPS/
    std::string html; // all of the page
};
// The spine has them in the order of the argument, the archive in the reverse order.
std::string make_epub(std::vector<epub_chapter> const& chapters, zip_files const& others = {});

// Each page is a list of lines in Latin-1.
std::string make_pdf(std::vector<std::vector<std::string>> const& pages);
// The same document with a password that nobody knows.
std::string with_pdf_password(std::string pdf);

} // namespace postrider::tests
