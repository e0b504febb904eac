// Each check by a table: what it finds, and what it lets pass.
// covers: X.09
#include "agent/spam/check.hpp"
#include "agent/spam/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>

namespace postrider::agent::spam::checks_test {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

constexpr std::chrono::sys_seconds noon{1'800'000'000s};

message saying(std::string_view text, std::int64_t author = 7) {
    auto message = message_of(text);
    message.author.id = author;
    message.sent_at = noon;
    return message;
}

// What this check alone says, with these rules.
check_result result_of(
    std::string_view check,
    message const& message,
    std::vector<std::string_view> const& assignments = {},
    recent_messages const& recent = {}
) {
    rules rules;
    for (auto const* other : checks())
        EXPECT_TRUE(
            rules.set(std::string(other->name) + ".on", other->name == check ? "true" : "false")
        );
    for (auto const assignment : assignments) EXPECT_TRUE(rules.set(assignment)) << assignment;
    auto const verdict = judge(message, default_knowledge(), rules, recent);
    EXPECT_LE(verdict.results.size(), 1U);
    return verdict.results.empty() ? check_result{} : verdict.results.front();
}

struct row {
    std::string_view check;
    std::string_view text;
    double score;
    std::vector<std::string_view> assignments = {};
};

TEST(checks, score_texts) {
    std::vector<row> const rows{
        {"stop_words", "Пишите в ЛC!", 1},
        {"stop_words", "деtaли  в лс", 1},
        {"stop_words", "Погода хорошая", 0},
        {"stop_words", "пишите в лс", 0.5, {"stop_words.limit=2"}},
        {"emoji", "\U0001f525 hot", 0},
        {"emoji", "\U0001f525\U0001f525\U0001f525 hot", 0.5, {"emoji.limit=6"}},
        {"emoji", "\U0001f525\U0001f525\U0001f525\U0001f525", 1, {"emoji.limit=3"}},
        {"mixed_scripts", "Удaлённaя pa6oтa", 1, {"mixed_scripts.limit=2"}},
        {"mixed_scripts", "pa6oтa", 0.25, {"mixed_scripts.limit=2"}},
        {"mixed_scripts", "новый iPadе и DevOpsы", 0},
        {"prohibited_scripts", "مرحبا بكم", 1},
        {"prohibited_scripts", "привет", 0},
        {"prohibited_scripts", "привет", 1, {"prohibited_scripts.scripts=cyrillic"}},
        {"prohibited_scripts", "привет", 0, {"prohibited_scripts.scripts="}},
        {"spacing", "з а р а б о т о к б ы с т р о", 1, {"spacing.limit=1"}},
        {"spacing", "за\u200bра\u200bбо", 1, {"spacing.limit=2"}},
        {"spacing", "я и ты", 0},
        {"links", "see https://example.org and t.me/name", 1, {"links.limit=2"}},
        {"links", "see example.org/a", 0.5, {"links.limit=2"}},
        {"links", "version 1.2/3 and/or e.g. this", 0},
        {"mentions", "@alice1 @bobby2 hello", 0.5, {"mentions.limit=4"}},
        {"mentions", "@alice1 @alice1 hello", 0},
        {"links_only", "https://example.org/x", 1},
        {"links_only", "https://example.org/x \U0001f525", 1},
        {"links_only", "look: https://example.org/x", 0},
        {"links_only", "hello", 0},
        {"mention_only", "@alice1, @bobby2", 1},
        {"mention_only", "@alice1 thanks", 0},
        {"length", "ok", 0},
    };
    for (auto const& [check, text, score, assignments] : rows) {
        auto const result = result_of(check, saying(text), assignments);
        EXPECT_NEAR(result.score, score, 1e-9) << check << ": " << text;
        EXPECT_TRUE(score == 0 || !result.reason.empty()) << check;
    }
}

TEST(checks, know_the_samples) {
    auto const advertised = result_of("similarity", saying("🔞 Нейросеть для поиска интим фото"));
    auto const friendly =
        result_of("similarity", saying("Спасибо, не заметил. Но получилось правдоподобно"));
    auto const likely = result_of(
        "classifier",
        saying("🔥 Набираю людей в команду! Удалённый заработок от 1000$ в неделю, опыт не нужен, "
               "обучение бесплатно, подробности в лс")
    );
    auto const unlikely =
        result_of("classifier", saying("ну вот я и говорю, что проблема не в этом"));

    EXPECT_EQ(advertised.score, 1);
    EXPECT_THAT(advertised.reason, HasSubstr("like a sample of spam"));
    EXPECT_EQ(friendly.score, -1);
    EXPECT_EQ(likely.score, 1);
    EXPECT_THAT(likely.reason, HasSubstr("likely to be spam: \""));
    EXPECT_LT(unlikely.score, 0);
}

TEST(checks, excuse_only_what_is_nearly_a_sample_of_ham) {
    knowledge learned;
    learned.index({kind::ham, "bring seven green apples"});
    auto const score = [&](std::string_view text, std::string_view assignment) {
        rules rules;
        for (auto const* check : checks())
            EXPECT_TRUE(rules.set(
                std::string(check->name) + ".on", check->name == "similarity" ? "true" : "false"
            ));
        EXPECT_TRUE(rules.set(assignment));
        return judge(saying(text), learned, rules).results.at(0).score;
    };

    EXPECT_EQ(score("bring seven green apples", "similarity.excuse=85"), -1);
    EXPECT_EQ(score("bring seven green dollars", "similarity.excuse=85"), 0) << "75 % like it";
    EXPECT_EQ(score("bring seven green dollars", "similarity.excuse=75"), -1);
    learned.index({kind::spam, "bring seven dollars"});
    EXPECT_EQ(score("bring seven green dollars", "similarity.least=50"), 1);
}

TEST(checks, that_compare_words_say_nothing_of_short_texts) {
    auto const speak = [](std::string_view assignment) {
        rules rules;
        EXPECT_TRUE(rules.set(assignment));
        std::set<std::string_view> names;
        for (auto const& result : judge(saying("hi"), default_knowledge(), rules).results)
            names.insert(result.check);
        return names.contains("classifier") && names.contains("similarity");
    };
    EXPECT_FALSE(speak("length.least=3"));
    EXPECT_TRUE(speak("length.least=2"));
    EXPECT_TRUE(speak("length.on=false"));
}

TEST(checks, see_media_without_a_text) {
    struct attachment {
        std::string_view check;
        media kind;
    };
    for (auto const& [check, kind] :
         {attachment{"image_only", media::photo},
          attachment{"video_only", media::video},
          attachment{"audio_only", media::audio},
          attachment{"contact_only", media::contact}}) {
        auto message = saying("");
        EXPECT_EQ(result_of(check, message).score, 0) << check;
        message.attached = {media::sticker};
        EXPECT_EQ(result_of(check, message).score, 0) << check;
        message.attached = {kind};
        EXPECT_EQ(result_of(check, message).score, 1) << check;
        message.text = "my holiday";
        EXPECT_EQ(result_of(check, message).score, 0) << check;
    }
}

TEST(checks, see_what_is_special_in_a_message) {
    struct speciality {
        std::string_view check;
        bool message::*flag;
    };
    for (auto const& [check, flag] :
         {speciality{"forward", &message::is_forward},
          speciality{"external_reply", &message::is_external_reply},
          speciality{"keyboard", &message::has_keyboard},
          speciality{"giveaway", &message::is_giveaway}}) {
        auto message = saying("hello");
        EXPECT_EQ(result_of(check, message).score, 0) << check;
        message.*flag = true;
        EXPECT_EQ(result_of(check, message).score, 1) << check;
    }
}

TEST(checks, see_symbols_in_names) {
    auto message = saying("hello");
    message.author.first_name = "Anna";
    EXPECT_EQ(result_of("name_symbols", message).score, 0);
    message.author.last_name = "\U0001f4b0\U0001f4b0";
    EXPECT_EQ(result_of("name_symbols", message).score, 1);
    message.author.last_name = "*vip*";
    EXPECT_EQ(result_of("name_symbols", message, {"name_symbols.symbols=*"}).score, 1);
}

TEST(checks, see_the_same_text_again) {
    recent_messages recent;
    for (int count = 0; count < 2; ++count) {
        auto const copy = saying("Buy my wonderful course today!");
        recent.remember(copy, normalize(copy.text));
    }
    auto const again = saying("buy MY wonderful course todaу"); // the last letter is Cyrillic

    EXPECT_EQ(result_of("duplicates", again, {}, recent).score, 1);
    EXPECT_EQ(result_of("duplicates", again, {"duplicates.limit=4"}, recent).score, 0);
    EXPECT_EQ(result_of("duplicates", saying(again.text, 8), {}, recent).score, 0);
    EXPECT_EQ(result_of("duplicates", saying("Something else today"), {}, recent).score, 0);
    auto later = again;
    later.sent_at += 2h;
    EXPECT_EQ(result_of("duplicates", later, {}, recent).score, 0);
}

TEST(checks, see_the_same_text_by_several_authors) {
    recent_messages recent;
    for (std::int64_t author = 1; author <= 2; ++author) {
        auto const copy = saying("Buy my wonderful course today! It is cheap.", author);
        recent.remember(copy, normalize(copy.text));
    }
    auto const again = saying("Buy my wonderful course today! It is cheap.", 3);

    EXPECT_EQ(result_of("copies", again, {}, recent).score, 1);
    EXPECT_EQ(result_of("copies", saying(again.text, 2), {}, recent).score, 0);
    EXPECT_EQ(result_of("copies", saying("thanks", 3), {}, recent).score, 0);
}

TEST(checks, see_a_flood) {
    recent_messages recent;
    for (int count = 0; count < 9; ++count) {
        auto const brief = saying(std::to_string(count));
        recent.remember(brief, normalize(brief.text));
    }

    EXPECT_EQ(result_of("flood", saying("again"), {}, recent).score, 1);
    EXPECT_EQ(result_of("flood", saying("again", 8), {}, recent).score, 0);
    EXPECT_EQ(result_of("flood", saying(std::string(100, 'a')), {}, recent).score, 0);
    auto later = saying("again");
    later.sent_at += 1min;
    EXPECT_EQ(result_of("flood", later, {}, recent).score, 0);
    auto edit = saying("again");
    edit.is_edit = true;
    EXPECT_EQ(result_of("flood", edit, {}, recent).score, 0);
}

// Of an approved member's album nothing else is checked: all of it would go, and its author with it.
TEST(checks, take_an_album_for_no_flood) {
    recent_messages recent;
    auto part = saying("");
    part.album = "13";
    for (int count = 0; count < 9; ++count) recent.remember(part, normalize(part.text));

    EXPECT_EQ(result_of("flood", part, {}, recent).score, 0) << "ten pictures";
    EXPECT_EQ(result_of("flood", saying("look!"), {}, recent).score, 0) << "a word behind them";
}

TEST(recent_messages, stay_within_their_bounds) {
    recent_messages recent;
    auto message = saying("hello");
    for (std::size_t count = 0; count < most_recent_messages + 5; ++count)
        recent.remember(message, normalize(message.text));
    EXPECT_EQ(recent.messages.size(), most_recent_messages);

    message.sent_at += longest_recent + 1s;
    recent.remember(message, normalize(message.text));
    EXPECT_EQ(recent.messages.size(), 1U);
}

TEST(recent_messages, have_wordings_that_never_change) {
    EXPECT_EQ(wording_of(normalize("a")), 0xaf63dc4c8601ec8cU); // FNV-1a of "a"
    EXPECT_EQ(wording_of(normalize(" \n")), 0U);
}

TEST(checks, are_described) {
    std::set<std::string_view> names;
    for (auto const* check : checks()) {
        EXPECT_TRUE(names.insert(check->name).second) << check->name;
        EXPECT_TRUE(check->looks_for.ends_with('.')) << check->name;
        for (auto const& parameter : check->parameters)
            EXPECT_TRUE(parameter.help.ends_with('.')) << check->name << '.' << parameter.key;
    }
}

} // namespace
} // namespace postrider::agent::spam::checks_test
