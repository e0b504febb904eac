// Messages that Telegram says are deleted: it says so of chats of business accounts alone.
#include "server/telegram/disposition.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::deleted_messages_test {
namespace {

constexpr chat_id business_chat{(std::int64_t{1} << 52) + 7};

disposition deleted_in(chat_id chat) {
    bot_settings bot;
    bot.id = bot_id{3};
    bot.allowlist = {{user_id{10}}, {chat_id{-100}}};
    deleted_messages gone{{chat, base::raw(chat) > 0}, {telegram_message_id{5}}};
    return decide({update_id{1}, std::move(gone)}, bot);
}

// Numbers of a business account's chat are not those of the bot's own chat with the same person.
TEST(deletions, of_a_business_chat_mark_no_message_of_the_bots_own_chats) {
    for (auto const chat : {chat_id{10}, chat_id{-100}})
        EXPECT_EQ(std::get<to_nothing>(deleted_in(chat)).rule, "business:unplaced");
}

TEST(deletions, of_a_business_chat_with_a_number_of_ours_mark_its_messages) {
    auto const removal = std::get<to_removal>(deleted_in(business_chat));
    EXPECT_EQ(removal.at.chat, business_chat);
    EXPECT_EQ(removal.messages, std::vector{telegram_message_id{5}});
}

} // namespace
} // namespace postrider::telegram::deleted_messages_test
