#include "agent/language/folded_words.hpp"
#include "agent/language/words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::words_test {
namespace {

using testing::ElementsAre;

std::vector<std::string> texts(std::string_view message) {
    std::vector<std::string> result;
    for (auto const& read : words_of(message).words)
        result.push_back(
            read.quoted
                ? "\"" + std::string(message.substr(read.begin, read.end - read.begin)) + "\""
                : read.text
        );
    return result;
}

TEST(words, are_folded) {
    EXPECT_THAT(
        texts("LÖSCHE Straße sí ЁЛКА ۳ ３"),
        ElementsAre("losche", "strasse", "si", "елка", "3", "3")
    );
    EXPECT_EQ(folded("كيا"), folded("کیا")) << "an Arabic keyboard";
}

TEST(words, of_a_message_alone_are_what_it_says) {
    EXPECT_EQ(folded_words(" Hör – AUF! "), "hor auf");
    EXPECT_EQ(folded_words("say “Hör auf”"), "say hor auf");
    EXPECT_EQ(folded_words("?! …"), "");
}

TEST(words, apostrophes_divide_behind_a_single_letter) {
    EXPECT_THAT(texts("don't I've d’appeler"), ElementsAre("dont", "i", "ve", "d", "appeler"));
}

TEST(words, dates_and_times_are_single) {
    EXPECT_THAT(
        texts("24.12. 9:30 2026-12-24 #3 -3 3."),
        ElementsAre("24.12", "9:30", "2026-12-24", "3", "-3", "3")
    );
}

TEST(words, quotations_are_single) {
    EXPECT_THAT(
        texts("add \"a b\" „c“ «d e» 'f g' it's > not"),
        ElementsAre("add", "\"a b\"", "\"c\"", "\"d e\"", "\"f g\"", "its", "not")
    );
    EXPECT_THAT(texts("> quoted line\nadd"), ElementsAre("\" quoted line\"", "add"));
    EXPECT_THAT(texts("5\" screen"), ElementsAre("5", "screen")) << "nothing closes it";
}

TEST(words, know_the_punctuation_before_them) {
    auto const list = words_of("ab, bc. cd de? ef");

    EXPECT_EQ(list.words[1].before, gap::comma);
    EXPECT_EQ(list.words[2].before, gap::stop);
    EXPECT_EQ(list.words[3].before, gap::none);
    EXPECT_EQ(list.words[4].before, gap::question);
    EXPECT_TRUE(list.asks);
    EXPECT_EQ(words_of("see example.com at 5 p.m. today").words[2].before, gap::soft);
    EXPECT_EQ(words_of("at 5 p.m. today").words.back().before, gap::soft);
}

TEST(words, edits_are_counted_up_to_a_bound) {
    EXPECT_EQ(edit_distance("delete", "delete", 2), 0u);
    EXPECT_EQ(edit_distance("delte", "delete", 2), 1u);
    EXPECT_EQ(edit_distance("dleete", "delete", 2), 1u) << "neighbours swapped";
    EXPECT_EQ(edit_distance("удали", "удоли", 2), 1u) << "letters, not bytes";
    EXPECT_EQ(edit_distance("abcdef", "uvwxyz", 2), 3u);
}

} // namespace
} // namespace postrider::agent::words_test
