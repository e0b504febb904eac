#include "agent/json_schema/pattern.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::json_schema::pattern_test {
namespace {

struct example {
    std::string_view pattern;
    std::string_view found;
    std::string_view not_found;
};

TEST(pattern, is_written_as_in_javascript) {
    for (auto const& [text, found, not_found] : {
             example{"b", "abc", "ac"},
             example{"^a$", "a", "a\n"},
             example{"^.$", "ä", "ää"},
             example{R"(^\u00e4\u{1F432}\cA$)", "ä🐲\x01", "ä🐲A"},
             example{R"(^\s[\s]\S$)", "\u00a0\u2003x", " x "},
             example{R"(^[\s\S]$)", "\u00a0", ""},
             example{R"(^[^\s]$)", "x", "\u00a0"},
             example{R"(^\d\w$)", "1a", "৪ä"},
             example{R"(^\p{Letter}\P{Lu}\p{Script=Greek}$)", "Äaω", "1aω"},
             example{R"(^(?<year>\d{4})\/\-$)", "2026/-", "26/-"},
             example{R"(^[(?<]+$)", "(?<", "P"},
         }) {
        auto const compiled = pattern::compile(text);
        ASSERT_TRUE(compiled) << text << ": " << compiled.error().detail;
        EXPECT_TRUE(compiled->found_in(found)) << text;
        EXPECT_FALSE(compiled->found_in(not_found)) << text;
    }
}

TEST(pattern, that_needs_backtracking_or_much_memory_is_refused) {
    for (auto text : {"a(?=b)", "(?<!a)b", R"((a)\1)", "(", "[z-a]", R"(\)", "(a{900}){900}"})
        EXPECT_FALSE(pattern::compile(text)) << text;
    EXPECT_EQ(pattern::compile(std::string(5000, 'a')).error().code, base::errc::too_large);
}

TEST(pattern, may_be_valid_though_it_is_large) {
    EXPECT_TRUE(pattern::is_valid(R"(^[\p{L}\p{N}]{1,255}$)"));
    EXPECT_TRUE(pattern::compile(R"(^[\p{L}\p{N}]{1,255}$)"));
    EXPECT_FALSE(pattern::is_valid("^(abc]"));
}

} // namespace
} // namespace postrider::agent::json_schema::pattern_test
