// Drafts that people stop by their button.
#include "server/telegram/disposition.hpp"
#include "server/telegram/drafts.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::stopped_drafts_test {
namespace {

constexpr user_id friendly{10};
constexpr chat_id her_chat{10};

disposition decided(std::string_view chat) {
    bot_settings bot;
    bot.id = bot_id{3};
    bot.allowlist = {{friendly}, {chat_id{-100}}};
    auto const body = R"({"update_id":1,"stopped_message_generation":{"chat":)" +
                      std::string(chat) + R"(,"draft_id":42}})";
    return decide(std::get<update>(parse_update(body)), bot);
}

TEST(stopped_drafts, are_of_the_person_who_sees_them) {
    auto const stop = std::get<to_stop>(decided(R"({"id":10,"type":"private"})"));
    EXPECT_EQ(stop.at, (agent::address{bot_id{3}, her_chat, {}}));
    EXPECT_EQ(stop.draft, 42);
    for (auto const* chat : {R"({"id":11,"type":"private"})", R"({"id":-100,"type":"supergroup"})"})
        EXPECT_EQ(std::get<to_nothing>(decided(chat)).rule, "allowlist") << chat;
}

TEST(stopped_drafts, are_told_to_other_processes_in_one_line) {
    agent::address const chat{bot_id{3}, her_chat, {}};
    auto const stopped = read_stop_notice(stop_notice(chat, 42));
    ASSERT_TRUE(stopped);
    EXPECT_EQ(stopped->chat, chat);
    EXPECT_EQ(stopped->number, 42);
    for (auto const* other : {"", "stop", "stop ", "stop 1 2", "stop a b c", "flows", "asked"})
        EXPECT_FALSE(read_stop_notice(other)) << other;
}

} // namespace
} // namespace postrider::telegram::stopped_drafts_test
