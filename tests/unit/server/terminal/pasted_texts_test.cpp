#include "server/terminal/pasted_texts.hpp"

#include <gtest/gtest.h>

namespace postrider::terminal::pasted_texts_test {
namespace {

TEST(pasted_texts, a_short_text_stands_in_the_line) {
    pasted_texts pasted;

    EXPECT_EQ(pasted.add("buy milk"), "buy milk");
    EXPECT_EQ(pasted.add("buy milk\r"), "buy milk") << "without its last end of line";
    EXPECT_EQ(pasted.add(std::string(200, 'x')), std::string(200, 'x'));
}

TEST(pasted_texts, a_mark_stands_for_any_other) {
    pasted_texts pasted;

    EXPECT_EQ(pasted.add("one\rtwo"), "[pasted 1: 2 lines, 7 characters]");
    EXPECT_EQ(pasted.add(std::string(201, 'x')), "[pasted 2: 1 line, 201 characters]");
    EXPECT_EQ(pasted.add("\t"), "[pasted 3: 1 line, 1 character]") << "a key in a line";
}

TEST(pasted_texts, come_back_where_their_marks_stand) {
    pasted_texts pasted;
    auto const first = pasted.add("a\r\nb\rc");
    auto const second = pasted.add("d\ne");

    EXPECT_EQ(pasted.expand("see " + second + " and " + first + "!"), "see d\ne and a\nb\nc!");
    EXPECT_EQ(pasted.expand("nothing"), "nothing") << "their marks were deleted";
    pasted.clear();
    EXPECT_EQ(pasted.expand(first), first);
}

TEST(pasted_texts, a_mark_that_was_pasted_is_text) {
    pasted_texts pasted;
    auto const first = pasted.add("one\r[pasted 2: 2 lines, 3 characters]");
    auto const second = pasted.add("a\rb");

    EXPECT_EQ(pasted.expand(first + second), "one\n[pasted 2: 2 lines, 3 characters]a\nb");
}

TEST(pasted_texts, what_is_no_utf_8_becomes_it) {
    pasted_texts pasted;

    EXPECT_EQ(pasted.add("a\xff"), "a\xef\xbf\xbd");
}

} // namespace
} // namespace postrider::terminal::pasted_texts_test
