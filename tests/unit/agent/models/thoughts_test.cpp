#include "agent/models/openai_wire.hpp"
#include "agent/models/thoughts.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
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
    {"<Think>hm</THINK>Hello", "Hello"},
    {"◁think▷hm◁/think▷Hello", "Hello"},
    {"<|channel|>analysis<|message|>hm<|channel|>final<|message|>Hello", "Hello"},
    {"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Hello"
     "<|return|>",
     "Hello"},
    {"<|start|>assistant<|channel|>final <|constrain|>json<|message|>{\"a\":1}<|end|>\n",
     "{\"a\":1}"},
    {"<|channel|>analysis<|message|>cut in the mid", ""},
    {"<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>a < b <|end|> c<|END_RESPONSE|>",
     "a < b <|end|> c"},
    {"The header <|channel|>final ends it.", "The header <|channel|>final ends it."},
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
constexpr thinking unopened[]{
    {"hm\n</think>\n\nHello", "Hello"},
    {"Let me see…</think>It is four.", "It is four."},
    {"Let me see</Think> it is four.", "it is four."},
    {"Let me see. </think> It is four.", "It is four."},
    {"`a` is\n```\n4\n```\n</thinking>Four", "Four"},
    {"hm<|end|><|start|>assistant<|channel|>final<|message|>Hello<|return|>", "Hello"},
};

TEST(thoughts, may_end_without_having_begun) {
    for (auto const& [text, answer] : unopened) EXPECT_EQ(without_thoughts(text), answer) << text;
}

std::string shown_in_the_end(std::string_view text, std::size_t size) {
    thought_filter filter;
    std::string shown;
    for (std::size_t at = 0; at < text.size(); at += size) {
        auto const more = filter.pass(text.substr(at, size));
        if (filter.takes_back()) shown.clear();
        shown += more;
    }
    return shown + filter.finish();
}

TEST(thoughts, that_were_shown_are_taken_back_where_they_end) {
    for (auto const& [text, answer] : unopened)
        for (std::size_t size = 1; size <= text.size(); ++size)
            EXPECT_EQ(shown_in_the_end(text, size), answer) << text << " by " << size;
}

TEST(thoughts, that_were_heard_are_taken_back_by_an_empty_piece) {
    std::vector<std::string> heard;
    auto const stream =
        openai::completion_stream_of([&](std::string_view text) { heard.emplace_back(text); }, "m");
    for (std::string_view content : {"Let me see.", R"(\n</think>\n\nFo)", "ur"})
        stream->take(
            fmt::format("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{}\"}}}}]}}\n\n", content)
        );

    EXPECT_THAT(heard, testing::ElementsAre("Let me see.", "", "Fo", "ur"));
}

TEST(thoughts, do_not_end_where_their_tag_is_spoken_of) {
    for (std::string_view text :
         {"Write </think> there.",
          "It ends with </think>.",
          "It ends with `</think>`",
          "It ends with \"</think>\" then",
          "All of it (up to </think>) is dropped.",
          "</think> is a tag.",
          "So:\n```\nhm\n</think>\n```",
          "First <think>a\n</think>\nb"}) {
        EXPECT_EQ(without_thoughts(text), text);
        for (std::size_t size = 1; size <= text.size(); ++size)
            EXPECT_EQ(shown_in_the_end(text, size), text) << size;
    }
}

} // namespace
} // namespace postrider::agent::wire::thoughts_test
