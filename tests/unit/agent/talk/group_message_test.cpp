#include "agent/talk/group_event.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace postrider::agent::group_message_test {
namespace {

group_message full_message() {
    group_message message;
    message.sender = {sender_kind::channel, user_id{1}, chat_id{-7}, "News", "news", "de"};
    message.date = 1'800'000'000;
    message.text = "look";
    message.links = {{"https://a.example"}, {"https://b.example", "look"}};
    message.mentions = {{.username = "alex"}, {.user = user_id{5}, .name = "Eve"}};
    message.custom_emoji = 2;
    message.spoilers = {"secret"};
    message.quote = "less";
    message.reply = inside_reply{telegram_message_id{3}, user_id{6}, "Bob", "less or more", true};
    message.external_reply = outside_reply{"Elsewhere", "photo"};
    message.forward = storage::message_forward{"channel", -8, "Shop", "shop"};
    message.forward->message = telegram_message_id{9};
    message.forward->date.emplace(std::chrono::seconds{1000});
    message.contact = shared_contact{"Carl", "+49 1", user_id{8}};
    message.via_bot = named_person{user_id{10}, "Gif", "gif", true};
    message.has_keyboard = true;
    message.buttons = {{"https://c.example", "Buy"}};
    message.media = "photo";
    message.album = "12";
    message.service = "new_chat_members";
    message.people = {{user_id{11}, "Dan", "dan", false}};
    return message;
}

TEST(group_message, comes_back_from_its_json) {
    EXPECT_EQ(group_message_from(to_json(full_message())), full_message());
    EXPECT_EQ(group_message_from(to_json(group_message{})), group_message{});
}

TEST(group_message, has_no_members_for_what_is_not_there) {
    EXPECT_EQ(
        boost::json::value(to_json(group_message{.text = "hi"})),
        boost::json::parse(R"({"sender": {"kind": "member", "user": 0}, "text": "hi"})")
    );
}

TEST(group_message, is_empty_where_there_is_none) {
    EXPECT_EQ(group_message_from(boost::json::value(3)), group_message{});
    EXPECT_EQ(
        group_message_from(boost::json::parse(R"({"links": 1, "text": {}})")), group_message{}
    );
}

TEST(group_event, names_what_happened) {
    EXPECT_EQ(event_json(group_event::edit, group_message{}).at("event"), "edit");
    auto const reaction = event_json(reaction_change{
        .message = telegram_message_id{4},
        .person = {.user = user_id{5}, .name = "Eve"},
        .before = {"👍"},
        .now = {"🔥", "custom:77"}});
    EXPECT_EQ(
        boost::json::value(reaction),
        boost::json::parse(
            R"({"event": "reaction", "person": {"user": 5, "name": "Eve"}, "before": ["👍"], "reactions": ["🔥", "custom:77"]})"
        )
    );
    EXPECT_EQ(event_json(join_request{.bio = "I sell"}).at("bio"), "I sell");
    EXPECT_EQ(event_json(member_change{}).at("event"), "member");
    for (auto const event :
         {group_event::message,
          group_event::edit,
          group_event::member,
          group_event::reaction,
          group_event::join_request})
        EXPECT_EQ(group_event_from(to_string(event)), event);
    EXPECT_FALSE(group_event_from("deletion"));
}

} // namespace
} // namespace postrider::agent::group_message_test
