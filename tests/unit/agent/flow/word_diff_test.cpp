#include "agent/flow/document/word_diff.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::flow::word_diff_test {
namespace {

std::string marked(std::string_view before, std::string_view after) {
    std::string text;
    for (auto const& part : diff_words(before, after)) {
        if (part.of == text_part::kind::same) text += part.text;
        if (part.of == text_part::kind::removed) text += "[-" + part.text + "-]";
        if (part.of == text_part::kind::added) text += "{+" + part.text + "+}";
    }
    return text;
}

std::string without(text_part::kind left_out, std::vector<text_part> const& parts) {
    std::string text;
    for (auto const& part : parts)
        if (part.of != left_out) text += part.text;
    return text;
}

TEST(word_diff, marks_the_words_that_changed) {
    EXPECT_EQ(marked("", ""), "");
    EXPECT_EQ(marked("same text", "same text"), "same text");
    EXPECT_EQ(marked("a b c", "a x c"), "a [-b-]{+x+} c");
    EXPECT_EQ(marked("a c", "a b c"), "a {+b +}c");
    EXPECT_EQ(marked("$json.text", "$json.title"), "$json.[-text-]{+title+}");
    EXPECT_EQ(marked("grüße dich", "grüne dich"), "[-grüße-]{+grüne+} dich");
    EXPECT_EQ(marked("one two three", "uno dos three"), "[-one two-]{+uno dos+} three");
    EXPECT_EQ(marked("a\nb\n", "a\nb\nc\n"), "a\nb\n{+c\n+}");
}

TEST(word_diff, leaves_nothing_out_however_long_the_texts_are) {
    std::string before;
    std::string after;
    for (int i = 0; i < 3000; ++i) {
        before += "old" + std::to_string(i) + (i % 7 == 0 ? "\n" : " ");
        after += (i % 3 == 0 ? "new" : "old") + std::to_string(i) + (i % 7 == 0 ? "\n" : " ");
    }

    auto const parts = diff_words(before, after);

    EXPECT_EQ(without(text_part::kind::added, parts), before);
    EXPECT_EQ(without(text_part::kind::removed, parts), after);
}

} // namespace
} // namespace postrider::agent::flow::word_diff_test
