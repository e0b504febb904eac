// In which language a person is told.
#include "agent/loop/speaker.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

namespace postrider::agent::speaker_test {
namespace {

constexpr user_id ann{1};
constexpr user_id bob{2};

std::string_view told_in(std::initializer_list<std::string_view> said_by_ann) {
    std::vector<chat_message> messages{
        {.role = role::user, .content = "покажи мой список", .speaker = bob}};
    for (auto const text : said_by_ann) {
        messages.push_back({.role = role::user, .content = std::string(text), .speaker = ann});
        messages.push_back({.role = role::assistant, .content = "Voilà ta liste."});
    }
    return language_of(messages, ann);
}

TEST(speaker, is_told_in_the_language_of_the_own_last_words) {
    EXPECT_EQ(told_in({"Wie geht es dir?", "show my list"}), "en");
    EXPECT_EQ(told_in({"show my list", "Wie geht es dir?", "3", "👍"}), "de");
    EXPECT_EQ(told_in({"3"}), "");
}

// However many there are.
TEST(speaker, is_in_the_language_of_before_behind_commands_and_files) {
    EXPECT_EQ(
        told_in({"Wie geht es dir?", "/new", "/usage", "(voice message)", "/help", "/new", "/start"}
        ),
        "de"
    );
    EXPECT_EQ(told_in({"Wie geht es dir?", "/new", "ciao, come stai?"}), "de");
}

} // namespace
} // namespace postrider::agent::speaker_test
