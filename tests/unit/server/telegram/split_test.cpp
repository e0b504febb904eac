#include "base/utf8.hpp"
#include "server/telegram/split.hpp"
#include "tests/support/loop.hpp"

#include <gtest/gtest.h>

#include <random>

namespace postrider::telegram::split_test {
namespace {

std::string repeated(std::string_view piece, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += piece;
    return text;
}

TEST(split, a_short_text_stays_whole) {
    EXPECT_EQ(split_message("hello"), std::vector<std::string>{"hello"});
    EXPECT_EQ(split_message("\n  hello \n").front(), "  hello");
    auto const exact = repeated("a", 4000);
    EXPECT_EQ(split_message(exact), std::vector<std::string>{exact});
    EXPECT_EQ(split_message(exact + "a").size(), 2u);
}

TEST(split, nothing_visible_is_still_a_message) {
    for (auto const* text : {"", " ", "\n\n\t"})
        EXPECT_EQ(split_message(text), std::vector<std::string>{"…"});
}

TEST(split, prefers_paragraph_line_sentence_word) {
    auto const half = repeated("x", 40);
    EXPECT_EQ(split_message(half + "\n\n" + half, 64)[0], half);
    EXPECT_EQ(split_message(half + "\nfoo bar\n" + half, 64)[0], half + "\nfoo bar");
    EXPECT_EQ(split_message(half + " foo. bar " + half, 64)[0], half + " foo.");
    EXPECT_EQ(split_message(half + " foo " + half, 64)[0], half + " foo");
}

TEST(split, loses_nothing_but_blanks_at_the_cuts) {
    auto const text = repeated("one two three. ", 1000);
    std::string joined;
    for (auto const& part : split_message(text)) joined += part + " ";
    EXPECT_EQ(joined, text);
}

TEST(split, never_cuts_a_character_or_a_joined_emoji) {
    std::string const family = "👩‍👩‍👧";
    for (auto const& part : split_message(repeated(family, 100), 100)) {
        EXPECT_LE(base::utf16_length(part), 100u);
        EXPECT_EQ(part.size() % family.size(), 0u);
    }
    for (auto const& part : split_message(repeated("😀", 5000))) {
        EXPECT_LE(base::utf16_length(part), 4000u);
        EXPECT_EQ(part.size() % 4, 0u);
    }
}

TEST(split, never_cuts_a_grapheme_of_any_script) {
    std::string_view const graphemes[]{
        "\U0001F1ED\U0001F1F7", // a flag: two regional indicators
        "\u1112\u1161\u11AB",   // Hangul from its letters
        "\u0915\u093F",         // Devanagari with a vowel sign
        "\u0E19\u0E49\u0E33",   // Thai with a tone mark and a vowel
        "e\u20DD",              // an enclosing circle
        "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F", // England's
        "\u0633\u0651\u064E", // Arabic with two marks
        "1\uFE0F\u20E3",      // a keycap
    };
    for (auto const grapheme : graphemes) {
        auto const text = "x" + repeated(grapheme, 60) + "x";
        std::size_t kept = 0;
        for (auto part : split_message(text, 64)) {
            EXPECT_LE(base::utf16_length(part), 64u);
            if (part.starts_with('x')) part.erase(0, 1);
            if (part.ends_with('x')) part.pop_back();
            EXPECT_EQ(part.size() % grapheme.size(), 0u) << grapheme;
            kept += part.size();
        }
        EXPECT_EQ(kept, 60 * grapheme.size()) << grapheme;
    }
}

TEST(split, an_accent_stays_on_the_blank_that_carries_it) {
    auto const text = repeated("x", 40) + " \u0301" + repeated("y", 40);
    auto const parts = split_message(text, 64);
    ASSERT_EQ(parts.size(), 2u);
    EXPECT_FALSE(parts[1].starts_with("\u0301"));
}

TEST(split, an_endless_joined_emoji_is_cut_all_the_same) {
    auto const parts = split_message(repeated("a\u200d", 500), 100);
    for (auto const& part : parts) EXPECT_LE(base::utf16_length(part), 100u);
    EXPECT_GE(parts.size(), 10u);
}

TEST(split, closes_and_reopens_a_code_block) {
    auto const text = "Look:\n```cpp\n" + repeated("int a = 1;\n", 20) + "```\nDone.";

    auto const parts = split_message(text, 100);

    ASSERT_GT(parts.size(), 2u);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        EXPECT_LE(base::utf16_length(parts[i]), 100u);
        std::size_t fences = 0;
        for (auto at = parts[i].find("```"); at != std::string::npos;
             at = parts[i].find("```", at + 3))
            ++fences;
        EXPECT_EQ(fences % 2, 0u) << parts[i];
        if (i > 0 && i + 1 < parts.size()) {
            EXPECT_TRUE(parts[i].starts_with("```cpp\n")) << parts[i];
        }
    }
    EXPECT_TRUE(parts.back().ends_with("Done."));
}

TEST(split, keeps_the_indentation_of_code) {
    auto const parts = split_message("```\n" + repeated("x", 50) + "\n    deep\n```", 64);
    EXPECT_NE(parts.at(1).find("\n    deep"), std::string::npos);
}

// Any text: within the limit, valid, nothing blank.
TEST(split, holds_for_random_texts) {
    std::mt19937 random(7);
    std::string_view const pieces[]{
        "a",
        "word",
        " ",
        "\n",
        "\n\n",
        ". ",
        "é",
        "😀",
        "```",
        "```py\n",
        "\t",
        "👩‍🔧",
        "x`"};
    for (int round = 0; round < 500; ++round) {
        std::string text;
        for (auto n = random() % 400; n > 0; --n) text += pieces[random() % std::size(pieces)];
        for (auto const& part : split_message(text, 80)) {
            ASSERT_LE(base::utf16_length(part), 80u) << text;
            ASSERT_NE(part.find_first_not_of(" \t\r\n"), std::string::npos) << text;
            ASSERT_NE(static_cast<unsigned char>(part[0]) & 0xc0, 0x80) << text;
        }
    }
}

TEST(split, keeps_the_preview_of_links) {
    agent::message_content content{repeated("word ", 1000)};
    content.link_preview = true;
    for (auto const& part : split_content(content)) EXPECT_TRUE(part.link_preview);
}

std::string bytes_of(agent::media const& media) {
    tests::loop loop;
    return loop.run(media.upload->load()).value();
}

// covers: X.01
TEST(messages, six_parts_stay_messages_and_more_become_a_document) {
    // All but the last leave room for the end of a code block.
    auto const six = repeated("a", 5 * 3996 + 4000);
    EXPECT_EQ(messages_of({.text = six}).size(), most_text_parts);

    agent::message_content longer{six + "b"};
    longer.buttons = {{{"Yes", "yes"}}};
    auto const sent = messages_of(longer);

    ASSERT_EQ(sent.size(), 2u);
    EXPECT_EQ(sent[0].text, repeated("a", 3996));
    EXPECT_FALSE(sent[0].media);
    EXPECT_TRUE(sent[0].buttons.empty());
    EXPECT_EQ(sent[1].text, "");
    ASSERT_TRUE(sent[1].media && sent[1].media->upload);
    EXPECT_EQ(sent[1].media->kind, agent::media_kind::document);
    EXPECT_EQ(sent[1].media->source, "message.txt");
    EXPECT_EQ(bytes_of(*sent[1].media), six + "b") << "the whole text";
    EXPECT_EQ(sent[1].buttons, longer.buttons);
}

TEST(messages, a_document_has_the_text_as_it_was_written) {
    auto const words = repeated("**bold** words. ", 2500);
    auto const markdown = messages_of({.text = words, .markup = agent::text_markup::markdown});
    ASSERT_EQ(markdown.size(), 2u);
    EXPECT_EQ(markdown[0].markup, agent::text_markup::html);
    EXPECT_EQ(markdown[1].media->upload->name, "message.md");
    EXPECT_EQ(markdown[1].media->upload->type, "text/markdown");
    EXPECT_EQ(bytes_of(*markdown[1].media), words);

    auto const html =
        messages_of({.text = repeated("<b>1 &lt; 2</b> ", 5000), .markup = agent::text_markup::html}
        );
    EXPECT_EQ(html[1].media->upload->name, "message.txt");
    EXPECT_EQ(bytes_of(*html[1].media), repeated("1 < 2 ", 5000));
}

TEST(messages, behind_media_a_long_caption_is_a_message_and_a_document) {
    agent::message_content content{repeated("a", 7 * 4000)};
    content.media = agent::media{agent::media_kind::photo, "https://a.example/1.jpg"};

    auto const sent = messages_of(content);

    ASSERT_EQ(sent.size(), 3u);
    EXPECT_EQ(sent[0].media->source, "https://a.example/1.jpg");
    EXPECT_EQ(sent[1].text, repeated("a", 3996));
    EXPECT_EQ(sent[2].media->source, "message.txt");
}

} // namespace
} // namespace postrider::telegram::split_test
