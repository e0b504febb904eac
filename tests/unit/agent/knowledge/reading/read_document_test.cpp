// What readers make of documents of each format.
#include "agent/knowledge/reading/epub_parts.hpp"
#include "tests/support/document_files.hpp"
#include "tests/unit/agent/knowledge/reading/reading.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::knowledge::read_document_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

document_file named(std::string name, std::string bytes) {
    return {.name = std::move(name), .bytes = std::move(bytes)};
}

TEST(read_document, keeps_the_paragraphs_of_plain_text) {
    EXPECT_THAT(
        lines_of(named("a.txt", "One\r\nline.\r\n\r\n\r\n\r\nTwo.  \n")),
        ElementsAre(": One\nline.\n\nTwo.")
    );
}

TEST(read_document, reads_the_structure_of_markdown) {
    EXPECT_THAT(
        lines_of(named(
            "guide.md",
            "---\ntitle: 'A guide'\n---\nIntro *text*.\n\n# Install\n\nTo **run** it, see "
            "[here](https://example.com/a) or [there](#x).\n\n## Debian\n\n"
            "- one\n- [x] two\n  1. deep\n- \n\n```sh\napt install x\n  y\n```\n\n"
            "| A | B |\n|---|---|\n| 1 | a\\|b |\n\n# Empty\n\n# "
            "[Last](https://example.com)\n\n<div>in "
            "<b>HTML</b></div>\n"
        )),
        ElementsAre(
            ": Intro text.",
            "Install: To run it, see [here](https://example.com/a) or there.",
            "Install > Debian: - one\n- [x] two\n  1. deep",
            "[code] Install > Debian: apt install x\n  y",
            "[table] Install > Debian: | A | B |\n| --- | --- |\n| 1 | a\\|b |",
            "Empty: Empty",
            "Last: in HTML"
        )
    );
    EXPECT_EQ(read(named("guide.md", "---\ntitle: 'A guide'\n---\nText")).value().title, "A guide");
}

TEST(read_document, reads_a_page_without_what_belongs_to_the_site) {
    auto const document = read(named(
        "page",
        "<!DOCTYPE html><html><head><title>A page</title><style>p{}</style>"
        "<script>let x = 'noise'</script></head><body><nav>Menu <a href='/a'>noise</a></nav>"
        "<h1>Top</h1><p>First<br>line &amp; more <span hidden>noise</span></p><h2>Table</h2>"
        "<table><caption>Prices</caption><tr><th>Name</th><th>Price</th></tr>"
        "<tr><td>Tea</td><td>1&nbsp;€</td></tr></table><pre>a\n  b</pre>"
        "<ul><li><p>x</p></li><li>y</li></ul></body></html>"
    ));
    ASSERT_TRUE(document) << document.error().detail;
    EXPECT_EQ(document->title, "A page");
    EXPECT_THAT(
        lines_of(*document),
        ElementsAre(
            "Top: First\nline & more",
            "Top > Table: Prices",
            "[table] Top > Table: | Name | Price |\n| --- | --- |\n| Tea | 1\u00a0€ |",
            "[code] Top > Table: a\n  b",
            "Top > Table: - x\n\n- y"
        )
    );
}

TEST(read_document, takes_a_table_around_headings_for_layout) {
    EXPECT_THAT(
        lines_of(named(
            "a.html",
            "<table><tr><td>Side</td><td><h1>Title</h1><p>Text</p>"
            "<table><tr><td>a</td><td>b</td></tr></table></td></tr></table>"
        )),
        ElementsAre(": Side", "Title: Text", "[table] Title: | a | b |\n| --- | --- |")
    );
}

TEST(read_document, reads_rows_of_csv_with_any_usual_delimiter) {
    for (std::string const delimiter : {",", ";", "\t", "|"})
        EXPECT_THAT(
            lines_of(
                named("list.csv", "a" + delimiter + "\"b, c; d\"\n\"x\ny\"" + delimiter + "2\n")
            ),
            ElementsAre("[table] : | a | b, c; d |\n| --- | --- |\n| x y | 2 |")
        ) << delimiter;
    EXPECT_EQ(failure_of(named("list.csv", "a,b\n\"x")), reading_failure::broken);
}

TEST(read_document, reads_headings_tables_lists_and_notes_of_docx) {
    using tests::docx_paragraph;
    auto const body =
        docx_paragraph("My report", "Title") + docx_paragraph("Start", "Heading1") +
        docx_paragraph("Text &amp; ") + docx_paragraph("Below", "Derived") +
        "<w:p><w:pPr><w:numPr><w:ilvl w:val='0'/><w:numId w:val='3'/></w:numPr></w:pPr>"
        "<w:r><w:t>item</w:t></w:r></w:p>" +
        "<w:p><w:r><w:t>kept</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></"
        "w:p>" +
        "<w:tbl><w:tr><w:tc>" + docx_paragraph("a") + "</w:tc><w:tc>" + docx_paragraph("b") +
        docx_paragraph("c") + "</w:tc></w:tr><w:tr><w:tc>" + docx_paragraph("1") + "</w:tc><w:tc>" +
        docx_paragraph("2") + "</w:tc></w:tr></w:tbl>" + docx_paragraph("x = 1", "Code") +
        docx_paragraph("  y", "Code") + docx_paragraph("Own level", "Outlined") +
        docx_paragraph("End");
    auto const document = read(named(
        "report",
        tests::make_docx(
            body,
            {{"word/footnotes.xml",
              "<w:footnotes xmlns:w='x'>" + docx_paragraph("A note") + "</w:footnotes>"}}
        )
    ));
    ASSERT_TRUE(document) << document.error().detail;
    EXPECT_EQ(document->title, "My report");
    EXPECT_THAT(
        lines_of(*document),
        ElementsAre(
            ": My report",
            "Start: Text &",
            "Start > Below: - item\n\nkept",
            "[table] Start > Below: | a | b c |\n| --- | --- |\n| 1 | 2 |",
            "[code] Start > Below: x = 1\n  y",
            "Own level: End",
            ": A note"
        )
    );
}

TEST(read_document, reads_headings_of_docx_that_has_no_styles) {
    using tests::docx_paragraph;
    auto const body = "<w:document xmlns:w='x'><w:body>" + docx_paragraph("Start", "Heading1") +
                      docx_paragraph("Text") + docx_paragraph("Below", "Heading6") +
                      docx_paragraph("More", "Heading7") + "</w:body></w:document>";
    auto const document = read(named("a.docx", tests::make_zip({{"word/document.xml", body}})));

    ASSERT_TRUE(document) << document.error().detail;
    EXPECT_THAT(lines_of(*document), ElementsAre("Start: Text", "Start > Below: More"));
}

TEST(read_document, says_in_sentences_why_it_cannot_be_read) {
    auto const sentence_of = [](document_file file) {
        return read(std::move(file)).error().detail;
    };

    EXPECT_EQ(
        sentence_of(named("a.png", std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16))),
        "This type of document is not supported."
    );
    EXPECT_THAT(
        sentence_of(named("a.docx", "no archive")),
        testing::MatchesRegex("The document is broken: .*[^.]\\.")
    );
    EXPECT_EQ(sentence_of(named("a.txt", " ")), "The document has no text: it is empty.");
}

TEST(read_document, reads_the_chapters_of_epub_in_the_order_of_the_spine) {
    auto const document = read(named(
        "book",
        tests::make_epub(
            {{"one a.xhtml",
              "<html><head><title/></head><body><h1>One</h1><p>First</p></body></html>"},
             {"b/two.xhtml", "<html><body><p>Still one</p><h1>Two</h1><p>Second</p></body></html>"}}
        )
    ));
    ASSERT_TRUE(document) << document.error().detail;
    EXPECT_EQ(document->title, "A book");
    EXPECT_THAT(lines_of(*document), ElementsAre("One: First", "One: Still one", "Two: Second"));
}

TEST(read_document, takes_obfuscated_fonts_for_no_encryption) {
    auto const book = tests::make_epub(
        {{"c.xhtml", "<p>text"}},
        {{"META-INF/encryption.xml",
          "<encryption><EncryptedData>"
          "<EncryptionMethod Algorithm='http://www.idpf.org/2008/embedding'/><CipherData>"
          "<CipherReference URI='OEBPS/font.otf'/></CipherData></EncryptedData></encryption>"}}
    );
    EXPECT_THAT(lines_of(named("a.epub", book)), ElementsAre(": text"));
}

TEST(read_document, finds_files_of_a_book_by_the_paths_of_its_package) {
    EXPECT_EQ(path_in_archive("OEBPS/book.opf", "text/a%20b.xhtml#c"), "OEBPS/text/a b.xhtml");
    EXPECT_EQ(path_in_archive("OEBPS/book.opf", "../a.xhtml"), "a.xhtml");
    EXPECT_EQ(path_in_archive("book.opf", "./a.xhtml"), "a.xhtml");
    EXPECT_EQ(path_in_archive("OEBPS/book.opf", "/a.xhtml"), "a.xhtml");
    EXPECT_EQ(path_in_archive("book.opf", "../a.xhtml"), "") << "out of the archive";
    EXPECT_EQ(path_in_archive("book.opf", "https://example.com/a.xhtml"), "");
}

TEST(read_document, knows_a_format_by_content_first_then_by_media_type_then_by_name) {
    auto const type_of = [](std::string name, std::string type, std::string bytes) {
        return std::string(
            media_type_of_document({std::move(name), std::move(type), std::move(bytes)})
        );
    };
    EXPECT_EQ(type_of("a.txt", "text/plain", "%PDF-1.7"), "application/pdf");
    EXPECT_EQ(type_of("a.txt", "text/plain", "\n<!doctype HTML><p>"), "text/html");
    EXPECT_THAT(
        type_of("a.zip", "application/zip", tests::make_docx("")), HasSubstr("wordprocessingml")
    );
    EXPECT_EQ(type_of("a.zip", "", tests::make_epub({})), "application/epub+zip");
    EXPECT_EQ(type_of("a.txt", "text/markdown; charset=utf-8", "# x"), "text/markdown");
    EXPECT_EQ(type_of("https://example.com/A.MD?raw=1", "text/plain", "# x"), "text/markdown");
    EXPECT_EQ(type_of("rows.csv", "application/octet-stream", "a,b"), "text/csv");
    EXPECT_EQ(type_of("main.rs", "", "fn main() {}"), "text/plain");
    EXPECT_EQ(type_of("a.txt", "text/plain", std::string("\x89PNG\r\n\x1a\n\0\0\0", 11)), "");
    EXPECT_EQ(type_of("a.rtf", "", "{\\rtf1 x}"), "");
    EXPECT_EQ(type_of("old.doc", "", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"), "");
}

TEST(read_document, names_what_is_wrong_with_a_document) {
    auto const compound = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" +
                          std::string("E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0", 32);
    EXPECT_EQ(failure_of(named("a.docx", compound)), reading_failure::encrypted);
    EXPECT_EQ(failure_of(named("a.docx", "no archive")), reading_failure::broken);
    EXPECT_EQ(failure_of(named("a.epub", tests::make_zip({{"x", "y"}}))), reading_failure::broken);
    EXPECT_EQ(failure_of(named("a.bin", std::string("\0\1\2\3", 4))), reading_failure::unsupported);
    EXPECT_EQ(failure_of(named("a.txt", " \n ")), reading_failure::no_text);
    EXPECT_EQ(failure_of(named("a.txt", "")), reading_failure::no_text);
    auto const docx = tests::make_docx(tests::docx_paragraph("text"));
    EXPECT_EQ(
        failure_of(named("a.docx", docx.substr(0, docx.size() / 2))), reading_failure::broken
    );
    EXPECT_EQ(
        failure_of(named("a.docx", tests::with_encrypted_files(docx))), reading_failure::encrypted
    );
    auto const book = tests::make_epub(
        {{"c.xhtml", "<p>text"}},
        {{"META-INF/encryption.xml",
          "<encryption><EncryptedData><EncryptionMethod Algorithm='aes'/><CipherData>"
          "<CipherReference URI='OEBPS/c.xhtml'/></CipherData></EncryptedData></encryption>"}}
    );
    EXPECT_EQ(failure_of(named("a.epub", book)), reading_failure::encrypted);
}

} // namespace
} // namespace postrider::agent::knowledge::read_document_test
