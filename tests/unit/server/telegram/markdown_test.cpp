#include "base/utf8.hpp"
#include "server/telegram/markdown.hpp"
#include "server/telegram/simulated_markup.hpp"
#include "server/telegram/split.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::markdown_test {
namespace {

using agent::text_markup;

std::string html(std::string_view markdown) {
    auto const styled = read_markdown(markdown);
    return html_of(styled, 0, styled.text.size());
}

std::vector<agent::message_content> parts_of(std::string text, std::size_t limit = message_limit) {
    agent::message_content content;
    content.text = std::move(text);
    content.markup = text_markup::markdown;
    return split_content(std::move(content), limit);
}

struct rendered {
    std::string_view markdown;
    std::string_view html;
};

TEST(markdown, becomes_what_telegram_shows) {
    rendered const cases[]{
        {"plain", "plain"},
        {"**bold** and *slanted* and ~~gone~~", "<b>bold</b> and <i>slanted</i> and <s>gone</s>"},
        {"***both***", "<i><b>both</b></i>"},
        {"**a *b* c**", "<b>a <i>b</i> c</b>"},
        {"snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"},
        {"# Title\ntext", "<b>Title</b>\n\ntext"},
        {"## A **bold** title", "<b>A bold title</b>"},
        {"#hashtag", "#hashtag"},
        {"one\ntwo\n\nthree", "one\ntwo\n\nthree"},
        {"`a < b`", "<code>a &lt; b</code>"},
        {"**`x`**", "<code>x</code>"},
        {"```cpp\nint *a;\n\nint b;\n```",
         "<pre><code class=\"language-cpp\">int *a;\n\nint b;</code></pre>"},
        {"```\nx\n```\nend", "<pre>x</pre>\n\nend"},
        {"```a\"b\nx\n```", "<pre>x</pre>"},
        {"- a\n- b\n  - c\n- d", "• a\n• b\n  • c\n• d"},
        {"3. a\n4. b", "3. a\n4. b"},
        {"1. a\n   more\n2. b", "1. a\n   more\n2. b"},
        {"Do:\n- [ ] a\n- [x] b", "Do:\n\n☐ a\n☑ b"},
        {"- a\n\n- b", "• a\n\n• b"},
        {"-\n- b", "• \n• b"},
        {"> said\n> so\n\nend", "<blockquote>said\nso</blockquote>\n\nend"},
        {"> a\n>> b\n>> c", "<blockquote>a\n\n&gt; b\n&gt; c</blockquote>"},
        {"[here](https://example.org/?a=1&b=2)",
         "<a href=\"https://example.org/?a=1&amp;b=2\">here</a>"},
        {"[`f`](https://example.org)", "<a href=\"https://example.org\">f</a>"},
        {"[x](javascript:alert)", "x (javascript:alert)"},
        {"[Created](not a link", "[Created](not a link"},
        {"![A cat](https://example.org/c.png)", "<a href=\"https://example.org/c.png\">A cat</a>"},
        {"![](https://example.org/c.png)",
         "<a href=\"https://example.org/c.png\">https://example.org/c.png</a>"},
        {"<b>no</b> &lt;tag&gt; &amp;", "&lt;b&gt;no&lt;/b&gt; &lt;tag&gt; &amp;"},
        {"the ||secret **word**|| is", "the <tg-spoiler>secret <b>word</b></tg-spoiler> is"},
        {"a || b", "a || b"},
        {"||||", "||||"},
        {"a\n\n---\n\nb", "a\n\n———\n\nb"},
        {"| n | price |\n|---|--:|\n| a | 5 |\n| bb | 12 |",
         "<pre>n   price\n--  -----\na       5\nbb     12</pre>"},
        {"**not closed", "**not closed"},
        {"", ""},
    };
    for (auto const& [markdown, wished] : cases) EXPECT_EQ(html(markdown), wished) << markdown;
}

TEST(markdown, without_a_style_goes_out_as_plain_text) {
    auto const parts = parts_of("5 < 6 & _7");
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_EQ(parts[0].text, "5 < 6 & _7");
    EXPECT_EQ(parts[0].markup, text_markup::none);
}

TEST(markdown, has_all_its_tags_in_each_part) {
    std::string text = "**";
    for (int word = 0; word < 60; ++word) text += "word ";
    text += "end**\n\n> ";
    for (int word = 0; word < 60; ++word) text += "said ";
    auto const parts = parts_of(text, 100);
    ASSERT_GT(parts.size(), 4u);
    for (auto const& part : parts) {
        auto const read = read_html(part.text);
        EXPECT_EQ(read.problem, "") << part.text;
        EXPECT_LE(base::utf16_length(read.visible), 100u);
        EXPECT_EQ(part.markup, text_markup::html);
    }
    EXPECT_TRUE(parts[1].text.starts_with("<b>word"));
    EXPECT_TRUE(parts.back().text.starts_with("<blockquote>said"));
}

TEST(markdown, counts_what_people_see_and_not_the_addresses) {
    std::string text;
    for (int link = 0; link < 100; ++link)
        text += "[a](https://example.org/" + std::string(150, 'x') + ") ";
    EXPECT_EQ(parts_of(text).size(), 1u);
    std::string beyond;
    for (int link = 0; link < 60; ++link)
        beyond += "[a](https://example.org/" + std::string(1500, 'x') + ") ";
    auto const plain = parts_of(beyond);
    ASSERT_EQ(plain.size(), 1u);
    EXPECT_EQ(plain[0].markup, text_markup::none) << "Telegram reads no HTML of 90 kB";
}

TEST(markdown, that_is_too_long_stands_as_it_is) {
    std::string text(longest_markdown + 1, 'a');
    text.replace(0, 5, "**b**");
    EXPECT_EQ(read_markdown(text).text, text);
}

TEST(markdown, makes_no_more_of_a_table_than_was_written) {
    std::string wide = "|";
    for (int column = 0; column < 5000; ++column) wide += "a|";
    wide += "\n|";
    for (int column = 0; column < 5000; ++column) wide += "---|";
    for (int row = 0; row < 5000; ++row) wide += "\n|b|";
    EXPECT_EQ(read_markdown(wide).text, wide);
    auto const tall = "|" + std::string(50'000, 'a') + "|b|\n|---|---|" + [] {
        std::string rows;
        for (int row = 0; row < 5000; ++row) rows += "\n|c|d|";
        return rows;
    }();
    EXPECT_LE(read_markdown(tall).text.size(), 40 * tall.size());
}

} // namespace
} // namespace postrider::telegram::markdown_test
