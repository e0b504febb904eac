// An item of a watched group, as moderation reads it.
// covers: X.09
#include "agent/moderation/offence.hpp"
#include "agent/talk/group_event.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::offence_test {
namespace {

namespace json = boost::json;

json::object placed(json::object event) {
    event["bot"] = 1;
    event["chat"] = -100;
    event["user"] = 7;
    event["message"] = 50;
    return event;
}

group_message words_of_eve() {
    group_message message;
    message.sender = {.user = user_id{7}, .name = "Eve", .username = "eve"};
    message.text = "earn money";
    return message;
}

TEST(offence, is_the_message_of_its_author) {
    auto item = placed(event_json(group_event::message, words_of_eve()));
    item["verdict"] = json::object{{"points", 120}};
    auto const read = read_offence(item);

    ASSERT_TRUE(read);
    EXPECT_EQ(read->group.chat, chat_id{-100});
    EXPECT_EQ(read->message, telegram_message_id{50});
    EXPECT_EQ(read->caught.key.author, user_id{7});
    EXPECT_EQ(read->caught.name, "Eve (@eve)");
    EXPECT_EQ(read->caught.text, "earn money");
    EXPECT_EQ(read->caught.verdict.at("points"), 120);
    EXPECT_TRUE(read->may_be_touched);
    EXPECT_EQ(std::get<ban_member>(ban_of(read->caught)).user, user_id{7});
    EXPECT_EQ(std::get<unban_member>(unban_of(read->caught)).user, user_id{7});
}

TEST(offence, of_a_channel_is_the_channels) {
    auto message = words_of_eve();
    message.sender.kind = sender_kind::channel;
    message.sender.chat = chat_id{-8};
    auto const read = read_offence(placed(event_json(group_event::edit, message)));

    ASSERT_TRUE(read);
    EXPECT_EQ(read->caught.key.author, user_id{-8});
    EXPECT_EQ(std::get<ban_sender_chat>(ban_of(read->caught)).chat, chat_id{-8});
    EXPECT_EQ(std::get<unban_sender_chat>(unban_of(read->caught)).chat, chat_id{-8});
}

TEST(offence, of_the_groups_own_voices_is_not_to_be_touched) {
    for (auto const kind : {sender_kind::anonymous_admin, sender_kind::linked_channel}) {
        auto message = words_of_eve();
        message.sender.kind = kind;
        message.sender.chat = chat_id{-100};
        auto const read = read_offence(placed(event_json(group_event::message, message)));
        ASSERT_TRUE(read);
        EXPECT_FALSE(read->may_be_touched);
    }
}

// The message of a reaction is somebody else's.
TEST(offence, of_a_reaction_has_no_message) {
    reaction_change reaction;
    reaction.message = telegram_message_id{50};
    reaction.person = {user_id{9}, "Mallory"};
    auto const read = read_offence(placed(event_json(reaction)));

    ASSERT_TRUE(read);
    EXPECT_EQ(read->message, telegram_message_id{});
    EXPECT_EQ(read->caught.key.message, telegram_message_id{});
    EXPECT_EQ(read->caught.key.author, user_id{9});
    EXPECT_EQ(read->caught.name, "Mallory");
}

TEST(offence, needs_a_group_and_an_author) {
    EXPECT_FALSE(read_offence(json::object{{"text", "earn money"}}));
    EXPECT_FALSE(read_offence(json::value("earn money")));
    group_message message;
    EXPECT_FALSE(read_offence(placed(event_json(group_event::message, message))));
}

} // namespace
} // namespace postrider::agent::offence_test
