// Which message is a command about another one.
// covers: X.09 S4.17
#include "agent/moderation/administrator.hpp"
#include "agent/moderation/spoken_word.hpp"
#include "agent/talk/group_event.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::spoken_word_test {
namespace {

group_message reply_of_ada(std::string text) {
    group_message message;
    message.sender = {.user = user_id{5}, .name = "Ada"};
    message.text = std::move(text);
    message.reply = inside_reply{telegram_message_id{50}, user_id{7}, "Eve", "earn money"};
    return message;
}

boost::json::object item_of(
    group_message const& message, group_event event = group_event::message
) {
    auto item = event_json(event, message);
    item["bot"] = 1;
    item["chat"] = -100;
    item["message"] = 60;
    return item;
}

TEST(spoken_word, is_a_command_in_reply_to_a_message) {
    auto const word = read_spoken_word(item_of(reply_of_ada("/spam obviously")));

    ASSERT_TRUE(word);
    EXPECT_EQ(word->command, spoken_command::spam);
    EXPECT_EQ(word->group.chat, chat_id{-100});
    EXPECT_EQ(word->said_in, telegram_message_id{60});
    EXPECT_EQ(word->by, user_id{5});
    EXPECT_EQ(word->about.message, telegram_message_id{50});
    EXPECT_EQ(word->about.user, user_id{7});
    EXPECT_EQ(read_spoken_word(item_of(reply_of_ada("/ham")))->command, spoken_command::ham);
    EXPECT_EQ(read_spoken_word(item_of(reply_of_ada("/ban\nbye")))->command, spoken_command::ban);
    EXPECT_EQ(read_spoken_word(item_of(reply_of_ada("/warn")))->command, spoken_command::warn);
    EXPECT_EQ(read_spoken_word(item_of(reply_of_ada("/report")))->command, spoken_command::report);
}

TEST(spoken_word, is_nothing_else) {
    for (std::string_view const text :
         {"", "spam", "/spammer", "/spam@other_bot", "is this /spam", "/new", "/SPAM"})
        EXPECT_FALSE(read_spoken_word(item_of(reply_of_ada(std::string(text))))) << text;
    auto message = reply_of_ada("/spam");
    EXPECT_FALSE(read_spoken_word(item_of(message, group_event::edit)));
    message.reply.reset();
    EXPECT_FALSE(read_spoken_word(item_of(message)));
    EXPECT_FALSE(read_spoken_word(boost::json::value(nullptr)));
}

TEST(spoken_word, is_no_chats) {
    for (auto const kind : {sender_kind::anonymous_admin, sender_kind::channel, sender_kind::bot}) {
        auto message = reply_of_ada("/spam");
        message.sender.kind = kind;
        EXPECT_FALSE(read_spoken_word(item_of(message)));
    }
    auto message = reply_of_ada("/spam");
    message.sender.chat = chat_id{-100};
    EXPECT_FALSE(read_spoken_word(item_of(message)));
}

TEST(spam_authority, is_that_of_the_standing) {
    chat_member member;
    for (auto const standing :
         {member_standing::member,
          member_standing::restricted,
          member_standing::left,
          member_standing::banned}) {
        member.standing = standing;
        member.may_restrict = true; // means nothing there
        EXPECT_EQ(authority_of(member), authority::none);
    }
    member.standing = member_standing::administrator;
    EXPECT_EQ(authority_of(member), authority::moderator);
    member.may_restrict = false;
    EXPECT_EQ(authority_of(member), authority::administrator);
    member.standing = member_standing::owner;
    EXPECT_EQ(authority_of(member), authority::moderator);
}

} // namespace
} // namespace postrider::agent::spoken_word_test
