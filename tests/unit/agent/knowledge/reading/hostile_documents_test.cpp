// Documents that are made to exhaust their reader end with an error within its bounds.
#include "tests/support/document_files.hpp"
#include "tests/unit/agent/knowledge/reading/reading.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::knowledge::hostile_documents_test {
namespace {

using testing::HasSubstr;

document_file docx_of(std::string file) {
    return {.name = "a.docx", .bytes = std::move(file)};
}

std::string repeated(std::string_view text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

TEST(hostile_documents, are_not_unpacked_beyond_the_limit) {
    // 64 MiB of blanks are some kilobytes in the archive. The text is short, so the limit of texts does not help.
    auto const bomb = tests::make_docx(std::string(64u << 20, ' ') + tests::docx_paragraph("text"));
    ASSERT_LT(bomb.size(), 1u << 20);

    auto const document = read(docx_of(bomb), {.unpacked_bytes = 8u << 20});

    ASSERT_FALSE(document);
    EXPECT_EQ(document.error().reason, reading_failure::too_large);
    EXPECT_EQ(document.error(), base::errc::too_large);
}

TEST(hostile_documents, count_what_comes_out_rather_than_what_they_declare) {
    auto const bomb = tests::make_docx(std::string(64u << 20, ' ') + tests::docx_paragraph("text"));

    auto const modest = tests::with_declared_sizes(bomb, 1000);
    auto const honest = tests::with_declared_sizes(bomb, 0xffff'fff0);

    EXPECT_NE(failure_of(docx_of(modest), {.unpacked_bytes = 8u << 20}), "");
    EXPECT_EQ(failure_of(docx_of(honest)), reading_failure::too_large);
}

TEST(hostile_documents, have_a_limit_of_text) {
    auto const text = tests::docx_paragraph(std::string(4u << 20, 'a'));
    EXPECT_EQ(
        failure_of(docx_of(tests::make_docx(text)), {.text_bytes = 1u << 20}),
        reading_failure::too_large
    );
    EXPECT_EQ(
        failure_of({.name = "a.md", .bytes = repeated("# a\n\nb\n\n", 200)}, {.sections = 100}),
        reading_failure::too_large
    );
    EXPECT_EQ(
        failure_of({.name = "a.txt", .bytes = std::string(101, 'a')}, {.file_bytes = 100}),
        reading_failure::too_large
    );
}

TEST(hostile_documents, have_a_limit_of_files_in_an_archive) {
    tests::zip_files files;
    for (int i = 0; i < 101; ++i) files.emplace_back(fmt::format("word/media/{}.png", i), "x");
    auto const document = tests::make_docx(tests::docx_paragraph("text"), files);
    EXPECT_EQ(failure_of(docx_of(document), {.entries = 100}), reading_failure::too_large);
    EXPECT_EQ(failure_of(docx_of(document)), "");
}

TEST(hostile_documents, have_no_entities) {
    auto laughs = std::string("<!DOCTYPE w [<!ENTITY l0 'lol'>");
    for (int i = 1; i < 10; ++i)
        laughs += fmt::format("<!ENTITY l{} '{}'>", i, repeated(fmt::format("&l{};", i - 1), 10));
    laughs += "]>";
    auto const bomb = tests::make_zip(
        {{"word/document.xml",
          laughs + "<w:document><w:p><w:r><w:t>&l9;</w:t></w:r></w:p></w:document>"}}
    );
    auto const document = read(docx_of(bomb));
    ASSERT_FALSE(document);
    EXPECT_EQ(document.error().reason, reading_failure::broken);
    EXPECT_THAT(document.error().detail, HasSubstr("DOCTYPE"));

    auto const book =
        tests::make_epub({{"a.xhtml", laughs + "<html><body><p>Say &l9;</p></body></html>"}});
    auto const text = read({.name = "a.epub", .bytes = book});
    ASSERT_TRUE(text) << text.error().detail;
    EXPECT_LT(text->sections.front().text.size(), 2000u);
}

TEST(hostile_documents, are_not_opened_within_each_other) {
    auto const inner = tests::make_docx(tests::docx_paragraph("inner"));
    EXPECT_EQ(
        failure_of(docx_of(tests::make_zip({{"word/document.xml", inner}}))),
        reading_failure::broken
    );
    EXPECT_EQ(
        failure_of({.name = "a.zip", .bytes = tests::make_zip({{"inner.docx", "PK"}})}),
        reading_failure::unsupported
    );
}

TEST(hostile_documents, may_not_nest_without_end) {
    auto const nested =
        repeated("<w:sdt>", 1000) + tests::docx_paragraph("x") + repeated("</w:sdt>", 1000);
    EXPECT_NE(failure_of(docx_of(tests::make_docx(nested))), "");
    auto const attributes = fmt::format("<w:p {}/>", [] {
        std::string all;
        for (int i = 0; i < 1000; ++i) all += fmt::format("a{}='1' ", i);
        return all;
    }());
    EXPECT_NE(failure_of(docx_of(tests::make_docx(attributes))), "");
    // Pages and Markdown end there, or stay flat.
    EXPECT_NE(failure_of({.name = "a.html", .bytes = "<html>" + repeated("<div>", 100'000)}), "?");
    EXPECT_NE(failure_of({.name = "a.md", .bytes = repeated("> ", 100'000) + "x"}), "?");
    EXPECT_NE(failure_of({.name = "a.md", .bytes = repeated("[", 100'000)}), "?");
}

TEST(hostile_documents, end_at_the_deadline) {
    auto const many = tests::make_docx(repeated(tests::docx_paragraph("text"), 20'000));
    EXPECT_EQ(
        failure_of(docx_of(many), {.time = std::chrono::nanoseconds{1}}), reading_failure::too_slow
    );
}

TEST(hostile_documents, end_when_nobody_waits_for_them) {
    tests::loop loop;
    auto const cancelled = [&]() -> base::result<document_text> {
        auto file = docx_of(tests::make_docx(repeated(tests::docx_paragraph("text"), 200'000)));
        return loop.run(base::with_timeout(
            read_document(std::move(file), {.text_bytes = 1u << 30, .sections = 1u << 30}),
            std::chrono::milliseconds{1}
        ));
    }();
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.error(), base::errc::timeout);
}

} // namespace
} // namespace postrider::agent::knowledge::hostile_documents_test
