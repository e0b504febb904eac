#include "agent/describe/folded_text.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::folded_text_test {
namespace {

TEST(folded_text, has_one_space_for_a_line_break_and_the_blanks_around_it) {
    EXPECT_STREQ(
        R"(Two lines,  
           with a "quote"
           and two  spaces.)"_folded,
        "Two lines, with a \"quote\" and two  spaces."
    );
}

TEST(folded_text, has_none_at_its_ends) {
    EXPECT_STREQ(
        R"(
            One line.
        )"_folded,
        "One line."
    );
    EXPECT_STREQ(R"()"_folded, "");
}

TEST(folded_text, of_an_empty_line_has_one_space_likewise) {
    EXPECT_STREQ(
        R"(a

           b)"_folded,
        "a b"
    );
}

constexpr std::string_view kept = R"(a
    b)"_folded;
static_assert(kept == "a b");

} // namespace
} // namespace postrider::agent::folded_text_test
