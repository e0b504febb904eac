#include "agent/assent.hpp"

#include <gtest/gtest.h>

#include <array>

namespace postrider::agent {
namespace {

constexpr std::string_view yeses[] = {
    "yes",
    "Yes",
    "YES!!!",
    "y",
    "yep",
    "yup do it",
    "yep do it",
    "yes please",
    "Yes, please.",
    "yesss",
    "yeah!",
    "sure",
    "ok",
    "OK",
    "okay 👍",
    "👍",
    "👍🏽",
    "👍👍",
    "✅",
    "go ahead",
    "do it",
    "yes, delete it",
    "yes yes",
    "I'm sure",
    "confirmed",
    "ja",
    "ja bitte",
    "ja mach",
    "Ja, lösch es",
    "klar",
    "mach das",
    "natürlich",
    "na klar",
    "sí",
    "si",
    "sí, bórralo",
    "claro que sí",
    "vale",
    "dale",
    "hazlo",
    "por supuesto",
    "oui",
    "oui vas-y",
    "vas-y",
    "d'accord",
    "d’accord",
    "bien sûr",
    "oui, s'il te plaît",
    "да",
    "да, давай",
    "ДА",
    "конечно",
    "давай",
    "да, удаляй",
    "хорошо",
    "جی ہاں",
    "ہاں",
    "جی",
    "ٹھیک ہے",
    "haan",
    "ji haan",
    "haan kar do",
    "theek hai",
    "bilkul",
};

constexpr std::string_view noes[] = {
    "no",
    "No.",
    "NO!",
    "n",
    "nope",
    "nah",
    "no thanks",
    "no, thank you",
    "don't",
    "do not",
    "don’t do it",
    "cancel",
    "stop",
    "👎",
    "❌",
    "never mind",
    "no no no",
    "nooo",
    "keep it",
    "please don't",
    "no, don't delete it",
    "nein",
    "nein danke",
    "ne",
    "lieber nicht",
    "abbrechen",
    "auf keinen fall",
    "no gracias",
    "no, gracias",
    "mejor no",
    "no lo borres",
    "cancela",
    "non",
    "non merci",
    "surtout pas",
    "annule",
    "laisse tomber",
    "нет",
    "нет, не надо",
    "не надо",
    "отмена",
    "нет, спасибо",
    "نہیں",
    "جی نہیں",
    "nahi",
    "ji nahi",
    "mat karo",
    "rehne do",
};

constexpr std::string_view neithers[] = {
    "",
    "ha",
    "ha ha",
    "haha",
    "haa",
    "ya",
    "ya ya",
    "o",
    "s",
    " ",
    "?",
    "yes?",
    "ok?",
    "no?",
    "yes but only the first",
    "no wait, yes",
    "yes no",
    "yes, no",
    "not sure",
    "I'm not sure",
    "maybe",
    "yes and no",
    "why",
    "the first one",
    "yes if it is safe",
    "what?",
    "please",
    "thanks",
    "delete it",
    "yes I don't want that",
    "no problem",
    "yes, but",
    "only 3",
    "\"yes\"",
    "> yes",
    "she said yes",
    "1",
    "yesterday",
    "👍👎",
    "yes 👎",
    "not yes",
    "know",
    "yes delete 4 instead",
    "ask me later",
    "sí pero no",
    "ja, aber nur die erste",
    "ja nein",
    "oui mais pas celle-là",
    "да, но не эту",
    "haan lekin doosra",
    "si tú quieres",
    "hmm",
    "🤔",
    "k?",
    "yes yes yes yes yes yes yes yes yes yes yes yes yes",
    "would yes be right",
    "oui ?",
    "да?",
    "جی ہاں؟",
};

TEST(assent, knows_a_clear_yes) {
    for (auto message : yeses) EXPECT_EQ(assent_of(message), assent::yes) << message;
}

TEST(assent, knows_a_clear_no) {
    for (auto message : noes) EXPECT_EQ(assent_of(message), assent::no) << message;
}

TEST(assent, takes_nothing_else_for_either) {
    for (auto message : neithers) EXPECT_EQ(assent_of(message), assent::neither) << message;
}

TEST(assent, survives_any_bytes) {
    EXPECT_EQ(assent_of("\xff\xfe yes"), assent::yes);
    EXPECT_EQ(assent_of(std::string(65536, '\xe2')), assent::neither);
}

TEST(assent, a_language_is_a_line_of_a_table) {
    constexpr std::array scratch{assent_words{"xx", "zib|zib zab", "zob", "zum"}};

    EXPECT_EQ(assent_of("Zib zab, zum!", scratch), assent::yes);
    EXPECT_EQ(assent_of("zob", scratch), assent::no);
    EXPECT_EQ(assent_of("yes", scratch), assent::neither);
}

} // namespace
} // namespace postrider::agent
