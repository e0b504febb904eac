// covers: X.09
#include "agent/spam/normal_text.hpp"
#include "base/utf8.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::spam::normal_text_test {
namespace {

TEST(normal_text, folds_every_disguise_of_a_word_alike) {
    struct disguise {
        std::string_view text;
        std::string_view honest;
    };
    for (auto const& [text, honest] : {
             disguise{"Удалённaя pa6oтa", "удаленная работа"}, // Latin letters, a digit
             disguise{"yдaлённoгo зaрaбoткa", "удалённого заработка"},
             disguise{"лuчные сообщенuя", "личные сообщения"},
             disguise{"раб0та", "работа"},
             disguise{"зар@боток", "заработок"},
             disguise{"з а р а б о т о к", "заработок"},
             disguise{"f r e e", "free"},
             disguise{"зарабоооооток", "заработок"},
             disguise{"за\u200bра\u200dбо\u00adток", "заработок"}, // zero width, soft hyphen
             disguise{"\u202eзаработок\u202c", "заработок"},       // from right to left
             disguise{"Пᴏддᴇᴧьнᴀя ʙᴀᴧюᴛᴀ", "поддельная валюта"},   // small capitals
             disguise{"ｆｒｅｅ 𝐦𝐨𝐧𝐞𝐲", "free money"},             // full width, mathematical
             disguise{"mοnеy", "money"},                           // Greek, Cyrillic
             disguise{"café", "CAFE"},
             disguise{"cafe\u0301", "cafe"},
             disguise{"don't", "dont"},
             disguise{"  in,  one... line\n\n", "in one line"},
         })
        EXPECT_EQ(folded_text(text), folded_text(honest)) << text;
}

TEST(normal_text, keeps_different_words_different) {
    EXPECT_NE(folded_text("cool"), folded_text("col"));
    EXPECT_NE(folded_text("работа"), folded_text("работы"));
    EXPECT_NE(folded_text("2024"), folded_text("2025"));
    EXPECT_EQ(folded_text(""), "");
    EXPECT_EQ(folded_text(" \u200b\n"), "");
}

TEST(normal_text, keeps_plain_words_readable) {
    auto const text = normalize("Удалённaя РАБОТА за 500$, 18+ \U0001f525");

    std::vector<std::string> plain;
    std::vector<token_kind> kinds;
    for (auto const& token : text.tokens) {
        plain.push_back(token.plain);
        kinds.push_back(token.kind);
    }
    EXPECT_EQ(
        plain,
        (std::vector<std::string>{"удалённaя", "работа", "за", "500", "$", "18", "+", "\U0001f525"})
    );
    EXPECT_EQ(
        kinds,
        (std::vector<token_kind>{
            token_kind::word,
            token_kind::word,
            token_kind::word,
            token_kind::number,
            token_kind::sign,
            token_kind::number,
            token_kind::sign,
            token_kind::emoji})
    );
}

TEST(normal_text, sees_words_of_two_alphabets) {
    struct mixture {
        std::string_view text;
        std::size_t words;
    };
    for (auto const& [text, words] : {
             mixture{"pa6oтa", 1},
             mixture{"удaлённo", 1},
             mixture{"Pабота", 1},
             mixture{"Вαc зαpαбοтαть", 2}, // Greek within Cyrillic
             mixture{"работа", 0},
             mixture{"hello", 0},
             mixture{"iPadе DevOpsы GPTшка", 0}, // Latin words with Russian endings
             mixture{"3D-печать", 0},
             mixture{"東京タワー", 0},
         })
        EXPECT_EQ(normalize(text).mixed_words, words) << text;
}

TEST(normal_text, counts_emoji_as_people_see_them) {
    struct picture {
        std::string_view text;
        std::size_t emoji;
    };
    for (auto const& [text, emoji] : {
             picture{"\U0001f44d", 1},
             picture{"\U0001f44d\U0001f3fd", 1}, // with a tone of skin
             picture{"\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466", 1}, // a family
             picture{"\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", 2},                   // two flags
             picture{"\u2764\ufe0f", 1},
             picture{"a\U0001f525b\U0001f525", 2},
             picture{"\u2122 \u00a9 1 a", 0},
         })
        EXPECT_EQ(normalize(text).emoji, emoji) << text;
}

TEST(normal_text, counts_characters_as_written) {
    auto const text = normalize("Ab ЖЖ 12 c\u200bd\n");

    EXPECT_EQ(text.characters, 8U);
    EXPECT_EQ(text.letters, 6U);
    EXPECT_EQ(text.capitals, 3U);
    EXPECT_EQ(text.digits, 2U);
    EXPECT_EQ(text.hidden, 1U);
    EXPECT_EQ(text.spaced_words, 0U);
    EXPECT_EQ(normalize("п и ш и  в  л и ч к у").spaced_words, 2U);
}

TEST(normal_text, takes_any_bytes) {
    for (std::string_view const text :
         {std::string_view("\xff\xfe\x80", 3),
          std::string_view("\0a\0", 3),
          std::string_view("\xd0"),
          std::string_view("\xed\xa0\x80"),
          std::string_view("\u0301\u0301\u0301"),
          std::string_view("\ufdfa\ufdfa")}) {
        auto const normal = normalize(text);
        EXPECT_TRUE(base::is_utf8(normal.plain));
        EXPECT_TRUE(base::is_utf8(normal.folded));
    }
}

} // namespace
} // namespace postrider::agent::spam::normal_text_test
