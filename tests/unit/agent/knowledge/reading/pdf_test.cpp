// PDF by pdftotext, which runs confined.
#include "agent/mcp/confinement.hpp"
#include "tests/support/document_files.hpp"
#include "tests/unit/agent/knowledge/reading/reading.hpp"

#include <gmock/gmock.h>

#include <filesystem>

namespace postrider::agent::knowledge::pdf_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class pdf : public testing::Test {
protected:
    void SetUp() override {
        if (!std::filesystem::exists("/usr/bin/pdftotext") || !mcp::confinement::make({}))
            GTEST_SKIP() << "there is no pdftotext, or no Landlock";
    }
};

document_file pdf_of(std::vector<std::vector<std::string>> const& pages) {
    return {.name = "a.pdf", .media_type = "application/pdf", .bytes = tests::make_pdf(pages)};
}

TEST_F(pdf, has_numbered_pages) {
    auto const document = read(pdf_of({{"First page"}, {}, {"An exam-", "ple: \xFC"}}));
    ASSERT_TRUE(document) << document.error().detail;
    EXPECT_EQ(document->pages, 3);
    EXPECT_THAT(lines_of(*document), ElementsAre("1 : First page", "3 : An example: ü"));
}

TEST_F(pdf, says_when_it_has_no_text) {
    auto const scanned = read(pdf_of({{}, {}}));
    ASSERT_FALSE(scanned);
    EXPECT_EQ(scanned.error().reason, reading_failure::no_text);
    EXPECT_THAT(scanned.error().detail, HasSubstr("scanned"));
}

TEST_F(pdf, says_when_it_is_encrypted_or_broken) {
    auto locked = pdf_of({{"secret"}});
    locked.bytes = tests::with_pdf_password(std::move(locked.bytes));
    EXPECT_EQ(failure_of(locked), reading_failure::encrypted);
    EXPECT_EQ(failure_of({.name = "a", .bytes = "%PDF-1.4\nnothing"}), reading_failure::broken);
    EXPECT_EQ(failure_of({.name = "a.pdf", .bytes = "a text"}), reading_failure::broken);
}

TEST_F(pdf, has_limits_of_text_and_time) {
    EXPECT_EQ(
        failure_of(pdf_of({{"a text that is longer"}}), {.text_bytes = 5}),
        reading_failure::too_large
    );
    EXPECT_EQ(
        failure_of(pdf_of({{"a"}}), {.time = std::chrono::nanoseconds{1}}),
        reading_failure::too_slow
    );
}

TEST_F(pdf, names_a_tool_that_is_missing) {
    auto const document = read(pdf_of({{"a"}}), {}, "no-such-pdftotext");
    ASSERT_FALSE(document);
    EXPECT_EQ(document.error().reason, reading_failure::tool_missing);
    EXPECT_THAT(document.error().detail, HasSubstr("no-such-pdftotext"));
}

} // namespace
} // namespace postrider::agent::knowledge::pdf_test
