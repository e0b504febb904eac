// Documents split into parts.
#include "agent/knowledge/reading/document_parts.hpp"
#include "agent/knowledge/reading/text_boundaries.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace postrider::agent::knowledge::document_parts_test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::SizeIs;
using testing::StartsWith;

section prose(std::string text, std::string heading = {}) {
    return {.heading = std::move(heading), .text = std::move(text)};
}

std::vector<std::string> texts_of(std::vector<section> sections, part_size size) {
    std::vector<std::string> texts;
    for (auto const& part : split_into_parts({.sections = std::move(sections)}, size))
        texts.push_back(part.text);
    return texts;
}

TEST(document_parts, know_their_heading_and_page) {
    std::vector<section> sections{
        {.heading = "A", .page = 1, .text = "one"},
        {.heading = "A", .page = 1, .kind = section_kind::code, .text = "two"},
        {.heading = "A", .page = 2, .text = "three"},
        {.heading = "A > B", .page = 2, .text = "four"}};
    EXPECT_THAT(
        split_into_parts({.sections = sections}),
        ElementsAre(
            document_part{"one\n\ntwo", "A", 1},
            document_part{"three", "A", 2},
            document_part{"four", "A > B", 2}
        )
    );
}

TEST(document_parts, end_between_paragraphs) {
    EXPECT_THAT(
        texts_of({prose("aaaa aaaa.\n\nbbbb bbbb.\n\ncccc cccc.")}, {25, 30, 0}),
        ElementsAre("aaaa aaaa.\n\nbbbb bbbb.", "cccc cccc.")
    );
    EXPECT_THAT(
        texts_of({prose("short.\n\n" + std::string(19, 'b') + ".")}, {20, 40, 0}), SizeIs(1)
    ) << "a short beginning takes a paragraph beyond the target with it";
}

TEST(document_parts, end_between_sentences_of_a_long_paragraph) {
    EXPECT_THAT(
        texts_of({prose("One is here. Two is here. Three is here.")}, {25, 30, 0}),
        ElementsAre("One is here. Two is here.", "Three is here.")
    );
}

TEST(document_parts, repeat_the_last_sentences_of_prose_only) {
    EXPECT_THAT(
        texts_of({prose("One is here. Two is here. Three is here.")}, {25, 40, 12}),
        ElementsAre("One is here. Two is here.", "Two is here. Three is here.")
    );
    EXPECT_THAT(
        texts_of(
            {prose("One is here. Two is here."),
             {.kind = section_kind::code, .text = "some lines of code"}},
            {25, 40, 12}
        ),
        ElementsAre("One is here. Two is here.", "some lines of code")
    );
}

TEST(document_parts, begin_with_the_header_of_their_table) {
    std::string table = "| Name | Age |\n| --- | --- |";
    for (int i = 0; i < 10; ++i) table += fmt::format("\n| Person {} | {} |", i, 20 + i);
    auto const parts = split_into_parts(
        {.sections = {{.kind = section_kind::table, .text = table}}}, {80, 100, 20}
    );
    ASSERT_GT(parts.size(), 2u);
    std::string rows;
    for (auto const& part : parts) {
        EXPECT_THAT(part.text, StartsWith("| Name | Age |\n| --- | --- |\n| Person"));
        EXPECT_LE(part.text.size(), 100u);
        rows += part.text.substr(28);
    }
    EXPECT_EQ(table.substr(28), rows) << "each row once, in order";
}

TEST(document_parts, keep_lines_of_code_together) {
    std::string const code = "first line\n  second line\n\nthird line\n  fourth line";
    EXPECT_THAT(
        texts_of({{.kind = section_kind::code, .text = code}}, {25, 60, 10}), ElementsAre(code)
    );
    EXPECT_THAT(
        texts_of({{.kind = section_kind::code, .text = code}}, {25, 30, 10}),
        ElementsAre("first line\n  second line\n", "third line\n  fourth line")
    );
}

TEST(document_parts, never_cut_a_grapheme) {
    // A family, a flag, and letters with accents of their own.
    for (std::string const seen : {"👩‍👩‍👧", "🇩🇪", "e\u0301\u0323", "नि"}) {
        std::string text;
        for (int i = 0; i < 50; ++i) text += seen;
        auto const parts = texts_of({prose(text)}, {17, 23, 5});
        std::string joined;
        for (auto const& part : parts) {
            EXPECT_EQ(part.size() % seen.size(), 0u) << seen;
            EXPECT_LE(base::count_characters(part), 23u);
            joined += part;
        }
        EXPECT_EQ(joined, text);
    }
}

TEST(document_parts, are_never_longer_than_they_may_be) {
    std::string const mark = "\u0301";
    std::string accents = "a";
    for (int i = 0; i < 100; ++i) accents += mark;
    for (auto const& text :
         {std::string(500, 'x'), accents, std::string("a. b. c. ") + std::string(90, 'y')})
        for (auto kind : {section_kind::prose, section_kind::table, section_kind::code})
            for (auto const size : {part_size{10, 12, 5}, part_size{1, 1, 1}, part_size{0, 0, 9}}) {
                auto const parts = texts_of({{.kind = kind, .text = text}}, size);
                ASSERT_FALSE(parts.empty());
                for (auto const& part : parts) {
                    EXPECT_LE(base::count_characters(part), std::max<std::size_t>(size.most, 1));
                    EXPECT_TRUE(base::is_utf8(part));
                }
            }
}

TEST(document_parts, are_the_same_each_time) {
    std::string text;
    for (int i = 0; i < 300; ++i) text += fmt::format("Sentence number {} stands here. ", i);
    document_text const document{.sections = {prose(text, "A"), prose(text, "B")}};
    EXPECT_EQ(split_into_parts(document), split_into_parts(document));
    for (auto const& part : split_into_parts(document)) EXPECT_THAT(part.text, EndsWith("."));
}

std::vector<std::string> sentences_of(std::string_view text) {
    std::vector<std::string> sentences;
    while (!text.empty()) {
        auto const end = end_of_sentence(text);
        sentences.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return sentences;
}

TEST(document_sentences, end_where_people_end_them) {
    EXPECT_THAT(sentences_of("One. Two? Three!"), ElementsAre("One. ", "Two? ", "Three!"));
    EXPECT_THAT(
        sentences_of("He said \"Yes.\" Then he left."),
        ElementsAre("He said \"Yes.\" ", "Then he left.")
    );
    EXPECT_THAT(sentences_of("Dr. Smith paid 3.50 on 3. May, e.g. here."), SizeIs(1));
    EXPECT_THAT(sentences_of("See z.B. Abb. 3. Nein."), SizeIs(testing::Le(2u)));
    EXPECT_THAT(sentences_of("今日は。明日も！"), ElementsAre("今日は。", "明日も！"));
    EXPECT_THAT(sentences_of("List:\n- one\n- two"), ElementsAre("List:\n", "- one\n", "- two"));
    EXPECT_THAT(sentences_of("a wrapped\nline of text"), SizeIs(1));
}

} // namespace
} // namespace postrider::agent::knowledge::document_parts_test
