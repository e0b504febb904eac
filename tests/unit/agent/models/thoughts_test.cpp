#include "agent/models/thoughts.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::wire::thoughts_test {
namespace {

struct thinking {
    std::string_view text;
    std::string_view answer;
};

constexpr thinking texts[]{
    {"", ""},
    {"Hello", "Hello"},
    {"  Hello", "  Hello"},
    {"<think>hm</think>Hello", "Hello"},
    {"\n<think>\nhm\n</think>\n\nHello", "Hello"},
    {"<think>\n\n</think>\n\nHello", "Hello"},
    {"<think>a</think>\n<think>b</think>\nHello", "Hello"},
    {"<thinking>hm</thinking>\nHello", "Hello"},
    {"[THINK]hm[/THINK]Hello", "Hello"},
    {"<think>cut in the mid", ""},
    {"<think>a < b, </th", ""},
    {"<table>", "<table>"},
    {"<thin", "<thin"},
    {"Use <think>hm</think> so.", "Use <think>hm</think> so."},
};

TEST(thoughts, are_no_part_of_an_answer) {
    for (auto const& [text, answer] : texts) EXPECT_EQ(without_thoughts(text), answer) << text;
}

TEST(thoughts, are_not_shown_however_the_text_is_cut) {
    for (auto const& [text, answer] : texts)
        for (std::size_t size = 1; size <= text.size(); ++size) {
            thought_filter filter;
            std::string shown;
            for (std::size_t at = 0; at < text.size(); at += size)
                shown += filter.pass(text.substr(at, size));
            EXPECT_TRUE(answer.starts_with(shown)) << text;
            EXPECT_EQ(shown + filter.finish(), answer) << text << " by " << size;
        }
}

// The opening tag is the template's then.
TEST(thoughts, may_end_without_having_begun) {
    EXPECT_EQ(without_thoughts("hm\n</think>\n\nHello"), "Hello");
    EXPECT_EQ(without_thoughts("Write </think> there."), "Write </think> there.");
}

} // namespace
} // namespace postrider::agent::wire::thoughts_test
