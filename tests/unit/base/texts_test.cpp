#include "base/texts.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace postrider::base::texts_test {

namespace {

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    replace_all(text, from, to);
    return text;
}

} // namespace

TEST(texts, are_joined_with_something_between) {
    EXPECT_EQ(joined(std::vector<std::string>(), ", "), "");
    EXPECT_EQ(joined(std::vector<std::string>{"a"}, ", "), "a");
    EXPECT_EQ(joined(std::set<std::string_view>{"c", "a", "b"}, ", "), "a, b, c");
    EXPECT_EQ(joined(std::vector<std::string>{"", "", "a"}, "|"), "||a");
}

TEST(texts, have_every_part_replaced) {
    EXPECT_EQ(replaced("none", "x", "y"), "none");
    EXPECT_EQ(replaced("<a><b>", "<", "&lt;"), "&lt;a>&lt;b>");
    EXPECT_EQ(replaced("abab", "ab", ""), "");
    EXPECT_EQ(replaced("ends with a", "a", "bb"), "ends with bb");
}

TEST(texts, are_not_looked_at_again_where_they_were_replaced) {
    EXPECT_EQ(replaced("&", "&", "&amp;"), "&amp;");
    EXPECT_EQ(replaced("aaa", "aa", "a"), "aa");
    EXPECT_EQ(replaced("aaaa", "aa", "b"), "bb");
}

TEST(texts, of_nothing_are_nowhere) {
    EXPECT_EQ(replaced("abc", "", "x"), "abc");
}

} // namespace postrider::base::texts_test
