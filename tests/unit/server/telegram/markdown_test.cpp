#include "base/utf8.hpp"
#include "server/telegram/markdown.hpp"
#include "server/telegram/simulated_markup.hpp"
#include "server/telegram/split.hpp"
#include "tests/support/telegram_html.hpp"

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

// What models write when nobody looks.
std::vector<std::string> nasty_texts() {
    auto repeated = [](std::string_view text, int times) {
        std::string joined;
        for (int time = 0; time < times; ++time) joined += text;
        return joined;
    };
    return {
        "<script>alert(1)</script> & &lt; &amp;lt; &nbsp; &#0; &#x110000; &bogus;",
        "**bold *both** slanted* ~~gone **and~~ bold**",
        "**`code` in bold** and *`code` in italics*",
        "[`code` in a link](https://example.org) and [a **bold *link***](https://example.org)",
        "[a [nested](https://b.example) link](https://a.example)",
        "[quote](https://example.org/\"><b>x) [angle](<https://example.org/a b>)",
        "[empty](<>) [](https://example.org) [ ](https://example.org) ![](https://example.org/i)",
        "[x](javascript:alert) [y](//example.org) [z](tg://user?id=1) [m](mailto:a@b.example)",
        "> quote with `code`\n>> deeper\n>>> **deepest**\n> - and a list\n> ```\n> block\n> ```",
        "```cpp\nint a<b>;\n```\n```a\"b\nx\n```\n```\n```\n~~~\nopen",
        "||spoiler **bold|| not** ||`code`|| ||[l](https://e.org)|| |||| ||",
        "# **Title** with `code` and [link](https://example.org)\n- [ ] **a**\n  1. ~~b~~",
        "| a | **b** |\n|---|---|\n| <x> & `y` | [z](https://e.org) |",
        "****** __ __ ** ** *a*b*c* _snake_case_ 2*3*4 ```` ` ````",
        std::string("\xc2\xa0 \xe2\x80\x8b\n\n\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9 "
                    "**\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85**"),
        repeated("**b** *i* `c` ", 200),
        repeated("**b** [l](https://example.org/) ", 150),
        repeated("**a *b ~~c ||d ", 60) + repeated("|| ~~ * **", 60),
        repeated("> ", 500) + "deep",
        repeated("- ", 300) + "deep",
        repeated("[", 3000) + repeated("](https://e.org)", 500),
        "**" + repeated("\xf0\x9f\x8c\xbf word ", 3000) + "**",
    };
}

TEST(markdown, of_any_kind_is_what_telegram_takes) {
    for (auto const& text : nasty_texts())
        for (auto const limit : {message_limit, std::size_t{64}})
            for (auto const& part : parts_of(text, limit)) {
                if (part.markup != text_markup::html) continue;
                tests::telegram_html const checked(part.text, {.units = limit});
                EXPECT_EQ(checked.problem(), "") << text.substr(0, 80) << "\n" << part.text;
                EXPECT_EQ(read_html(part.text).visible, checked.visible());
            }
}

TEST(markdown, with_too_many_styles_keeps_its_links) {
    std::string text;
    for (int number = 0; number < 90; ++number) text += "**b** *i* [l](https://example.org/) ";
    auto const styled = html(text);
    tests::telegram_html const checked(styled);
    EXPECT_EQ(checked.problem(), "");
    std::size_t links = 0;
    for (auto at = styled.find("<a "); at != styled.npos; at = styled.find("<a ", at + 1)) ++links;
    EXPECT_EQ(links, 90u);
}

TEST(telegram_html, refuses_what_telegram_would_not_show) {
    for (auto const* text :
         {"a < b",
          "a > b",
          "a & b",
          "&nbsp;",
          "<b>a",
          "a</b>",
          "<b><i>a</b></i>",
          "<b></b>a",
          "<h1>a</h1>",
          "<b class=\"x\">a</b>",
          "<a>x</a>",
          "<a href=\"/x\">x</a>",
          "<a href=\"javascript:x\">x</a>",
          "<a href='https://x'>x</a>",
          "<b><code>x</code></b>",
          "<pre><b>x</b></pre>",
          "<code class=\"language-c\">x</code>",
          "<blockquote>a<blockquote>b</blockquote></blockquote>",
          " \n",
          "\xff"})
        EXPECT_NE(tests::telegram_html(text).problem(), "") << text;
    EXPECT_EQ(tests::telegram_html(std::string(4097, 'a')).problem(), "too long");
    EXPECT_EQ(
        tests::telegram_html(
            "<blockquote expandable><a href=\"https://x\"><b>1 &lt; 2</b></a></blockquote>"
            "<pre><code class=\"language-c\">x</code></pre>"
        )
            .problem(),
        ""
    );
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
