// Messages that Telegram says are deleted: it says so of chats of business accounts.
#include "server/telegram/disposition.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::deleted_messages_test {
namespace {

constexpr chat_id group{-100};
constexpr chat_id her_chat{10};

disposition deleted_in(chat_id chat) {
    bot_settings bot;
    bot.id = bot_id{3};
    bot.allowlist = {{user_id{10}}, {group}};
    deleted_messages gone{{chat, base::raw(chat) > 0}, {telegram_message_id{5}}};
    return decide({update_id{1}, std::move(gone)}, bot);
}

// Of a business account's chat with that person, whose numbers are not those of the bot's own.
TEST(deletions, in_a_business_chat_mark_no_message_of_ours) {
    EXPECT_EQ(std::get<to_nothing>(deleted_in(her_chat)).rule, "business_chat");
}

TEST(deletions, in_an_allowed_group_mark_its_messages) {
    auto const removal = std::get<to_removal>(deleted_in(group));
    EXPECT_EQ(removal.at.chat, group);
    EXPECT_EQ(removal.messages, std::vector{telegram_message_id{5}});
    EXPECT_EQ(std::get<to_nothing>(deleted_in(chat_id{-200})).rule, "allowlist");
}

} // namespace
} // namespace postrider::telegram::deleted_messages_test
