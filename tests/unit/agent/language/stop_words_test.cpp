// Which messages are the word that stops a turn.
#include "agent/flow/start/command_start.hpp"
#include "agent/language/command.hpp"
#include "agent/language/lexicon.hpp"
#include "agent/language/stop_words.hpp"

#include <gtest/gtest.h>

#include <set>

namespace postrider::agent::stop_words_test {
namespace {

std::string_view language_of(std::string_view message) {
    auto const* found = find_stop_word(message);
    return found ? std::string_view(found->code) : "";
}

TEST(stop_words, are_the_whole_message_in_any_writing) {
    for (auto const* message :
         {"stop", "Stop", "STOP!", "stop.", " stop\n", "Stop, please!", "ｓｔｏｐ"})
        EXPECT_EQ(language_of(message), "en") << message;
    EXPECT_EQ(language_of("Halt!"), "de");
    EXPECT_EQ(language_of("Arrête"), "fr");
    EXPECT_EQ(language_of("arrete"), "fr");
    EXPECT_EQ(language_of("Para"), "es");
    EXPECT_EQ(language_of("Стоп"), "ru");
    EXPECT_EQ(language_of("رک جاؤ"), "ur");
    EXPECT_EQ(language_of("Ruko!"), "ur");
}

TEST(stop_words, are_no_part_of_a_longer_message) {
    for (auto const* message :
         {"",
          "!",
          "stop?",
          "stop the timer",
          "don't stop",
          "\"stop\"",
          "> stop",
          "/stop",
          "bus stop",
          "para mañana",
          "remind me to stop",
          "cancel",
          "no",
          "3",
          "wait"})
        EXPECT_EQ(find_stop_word(message), nullptr) << message;
    EXPECT_EQ(find_stop_word(std::string(10'000, 's')), nullptr);
}

// The todo agent answers in these languages.
TEST(stop_words, speak_each_language_once) {
    std::set<std::string_view> languages;
    for (auto const& language : language::lexicons()) {
        EXPECT_TRUE(languages.insert(language.code).second) << language.code;
        EXPECT_EQ(language::find_lexicon(language.code), &language);
    }
    EXPECT_EQ(languages, (std::set<std::string_view>{"de", "en", "es", "fr", "ru", "ur"}));
}

flow::execution_input heard(bool addressed = true) {
    flow::execution_input input;
    input.heard =
        flow::heard_message{{bot_id{1}, chat_id{7}, {}}, user_id{7}, telegram_message_id{50}};
    input.heard->addressed = addressed;
    return input;
}

TEST(command_start, of_a_stop_word_needs_a_turn) {
    auto const start = flow::command_in("Stop!", "", heard(), false);
    ASSERT_TRUE(start);
    EXPECT_TRUE(start->needs_turn);
    ASSERT_TRUE(start->ends);
    EXPECT_EQ(start->ends->said, "stop") << "folded, as the words of a question are";
    EXPECT_EQ(start->job.input.at("command"), "/stop");
    EXPECT_EQ(start->job.input.at("language"), "en");
}

TEST(command_start, of_a_command_needs_none) {
    auto const stop = flow::command_in("/stop", "/stop", heard(), true);
    ASSERT_TRUE(stop && stop->ends);
    EXPECT_FALSE(stop->needs_turn);
    EXPECT_TRUE(stop->ends->is_owner);
    EXPECT_EQ(stop->ends->said, "");
    auto const usage = flow::command_in("/usage", "/usage", heard(), false);
    ASSERT_TRUE(usage);
    EXPECT_FALSE(usage->ends) << "it leaves the turn alone";
    auto const fresh = flow::command_in("/new", "/new", heard(), false);
    ASSERT_TRUE(fresh && fresh->ends);
    EXPECT_TRUE(fresh->opens_conversation);
}

TEST(command_start, leaves_other_messages_to_the_flow) {
    EXPECT_FALSE(flow::command_in("hello", "", heard(), false));
    EXPECT_FALSE(flow::command_in("/other", "/other", heard(), false));
    EXPECT_FALSE(flow::command_in("stop", "", heard(false), false)) << "said to others";
    auto pictured = heard();
    pictured.heard->images.emplace_back();
    EXPECT_FALSE(flow::command_in("stop", "", pictured, false));
}

} // namespace
} // namespace postrider::agent::stop_words_test
