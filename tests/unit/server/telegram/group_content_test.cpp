// What everybody in a group sees of a message, as Telegram tells it.
#include "server/telegram/group_content.hpp"
#include "server/telegram/update.hpp"
#include "tests/unit/server/telegram/samples.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace postrider::telegram::group_content_test {
namespace {

namespace json = boost::json;

// A message of Ivana's in a group, with these members more.
agent::group_message with(std::string const& members) {
    auto const body =
        R"({"message_id":2,"chat":{"id":-3,"type":"supergroup"},
        "from":{"id":5,"is_bot":false,"first_name":"Ivana","username":"ivana_k","language_code":"hr"})" +
        (members.empty() ? "" : "," + members) + "}";
    auto const value = base::parse_json(body).value();
    return read_group_message(base::json_reader{value});
}

// That part of it, as JSON.
std::string part(std::string const& members, std::string_view name) {
    auto const message = to_json(with(members));
    auto const* value = message.if_contains(name);
    return value ? json::serialize(*value) : "";
}

struct sample {
    std::string members;
    std::string name;
    std::string value;
};

// covers: S4.01
TEST(group_content, reads_what_filters_ask_for) {
    std::vector<sample> const samples{
        {R"("text":"hi","date":1800000000)", "date", "1800000000"},
        {R"("text":"hi","date":1800000000,"edit_date":1800000060)", "date", "1800000060"},
        {R"("text":"😀 a.example","entities":[{"type":"url","offset":3,"length":9}])",
         "links",
         R"([{"url":"a.example"}])"},
        {R"("text":"here","entities":[{"type":"text_link","offset":0,"length":4,"url":"https://b.example"}])",
         "links",
         R"([{"url":"https://b.example","text":"here"}])"},
        {R"("caption":"b.example","photo":[{"file_id":"a"}],"caption_entities":[{"type":"url","offset":0,"length":9}])",
         "links",
         R"([{"url":"b.example"}])"},
        {R"("text":"hi @alex","entities":[{"type":"mention","offset":3,"length":5}])",
         "mentions",
         R"([{"username":"alex"}])"},
        {R"("text":"hi Eve","entities":[{"type":"text_mention","offset":3,"length":3,"user":{"id":7,"first_name":"E"}}])",
         "mentions",
         R"([{"user":7,"name":"Eve"}])"},
        {R"("text":"ab","entities":[{"type":"custom_emoji","offset":0,"length":1,"custom_emoji_id":"1"},{"type":"custom_emoji","offset":1,"length":1}])",
         "custom_emoji",
         "2"},
        {R"("text":"the end","entities":[{"type":"spoiler","offset":4,"length":3}])",
         "spoilers",
         R"(["end"])"},
        {R"("text":"hi","entities":[{"type":"url","offset":1,"length":9},{"type":"url","offset":-1,"length":1}])",
         "links",
         ""},
        {R"("text":"yes","quote":{"text":"less"})", "quote", R"("less")"},
        {R"("text":"yes","reply_to_message":{"message_id":1,"from":{"id":6,"first_name":"Bob"},"text":"more?"})",
         "reply",
         R"({"message":1,"user":6,"name":"Bob","text":"more?"})"},
        {R"("text":"yes","reply_to_message":{"message_id":1,"forum_topic_created":{"name":"x"}})",
         "reply",
         ""},
        {R"("text":"yes","external_reply":{"origin":{"type":"channel","chat":{"id":-8,"title":"Shop"}},"video":{}})",
         "external_reply",
         R"({"name":"Shop","media":"video"})"},
        {R"("text":"yes","reply_to_story":{"chat":{"id":-8,"title":"Shop"},"id":1})",
         "external_reply",
         R"({"name":"Shop","media":"story"})"},
        {R"("text":"x","forward_origin":{"type":"user","sender_user":{"id":7,"first_name":"Eve"}})",
         "forward",
         R"({"kind":"user","id":7,"name":"Eve"})"},
        {R"("text":"x","forward_origin":{"type":"hidden_user","sender_user_name":"Somebody"})",
         "forward",
         R"({"kind":"hidden_user","name":"Somebody"})"},
        {R"("text":"x","forward_origin":{"type":"chat","sender_chat":{"id":-9,"title":"Club"}})",
         "forward",
         R"({"kind":"chat","id":-9,"name":"Club"})"},
        {R"("text":"x","forward_origin":{"type":"channel","chat":{"id":-8,"title":"Shop","username":"shop"},"message_id":4})",
         "forward",
         R"({"kind":"channel","id":-8,"name":"Shop","username":"shop","message":4})"},
        {R"("contact":{"phone_number":"+49 1","first_name":"Carl","user_id":8})",
         "contact",
         R"({"name":"Carl","phone":"+49 1","user":8})"},
        {R"("text":"x","via_bot":{"id":10,"is_bot":true,"first_name":"Gif","username":"gif"})",
         "via_bot",
         R"({"user":10,"name":"Gif","username":"gif","is_bot":true})"},
        {R"("text":"x","reply_markup":{"inline_keyboard":[[{"text":"Buy","url":"https://c.example"},{"text":"No","callback_data":"n"}]]})",
         "buttons",
         R"([{"url":"https://c.example","text":"Buy"}])"},
        {R"("text":"x","reply_markup":{"inline_keyboard":[[{"text":"No","callback_data":"n"}]]})",
         "keyboard",
         "true"},
        {R"("text":"x")", "keyboard", ""},
        {R"("photo":[{"file_id":"a"}],"media_group_id":"12")", "album", R"("12")"},
        {R"("new_chat_members":[{"id":11,"is_bot":true,"first_name":"Dan"}])",
         "people",
         R"([{"user":11,"name":"Dan","is_bot":true}])"},
        {R"("left_chat_member":{"id":11,"first_name":"Dan"})", "service", R"("left_chat_member")"},
        {R"("pinned_message":{"message_id":1})", "service", R"("pinned_message")"},
        {R"("rich_message":{"blocks":[{"type":"paragraph","text":["buy ",{"type":"url","text":"here","url":"https://d.example"}]}]})",
         "links",
         R"([{"url":"https://d.example"}])"},
    };
    for (auto const& sample : samples)
        EXPECT_EQ(part(sample.members, sample.name), sample.value) << sample.members;
}

TEST(group_content, tells_the_kind_of_media) {
    for (std::string const media :
         {"photo",
          "video",
          "animation",
          "audio",
          "voice",
          "video_note",
          "sticker",
          "document",
          "story",
          "location",
          "poll",
          "dice",
          "contact",
          "giveaway"})
        EXPECT_EQ(with('"' + media + R"(":{"file_id":"a"})").media, media);
    EXPECT_EQ(with(R"("text":"hi")").media, "");
    EXPECT_EQ(with(R"("animation":{},"document":{})").media, "animation") << "it comes as both";
}

TEST(group_content, tells_in_whose_name_a_message_stands) {
    using agent::sender_kind;
    EXPECT_EQ(
        with("").sender,
        (agent::message_sender{sender_kind::member, user_id{5}, {}, "Ivana", "ivana_k", "hr"})
    );
    auto const anonymous = with(R"("sender_chat":{"id":-3,"title":"Plants"})").sender;
    EXPECT_EQ(anonymous.kind, sender_kind::anonymous_admin);
    EXPECT_EQ(anonymous.name, "Plants");
    auto const channel = with(R"("sender_chat":{"id":-8,"title":"Shop","username":"shop"})").sender;
    EXPECT_EQ(channel.kind, sender_kind::channel);
    EXPECT_EQ(channel.chat, chat_id{-8});
    EXPECT_EQ(channel.username, "shop");
    EXPECT_EQ(
        with(R"("sender_chat":{"id":-8},"is_automatic_forward":true)").sender.kind,
        sender_kind::linked_channel
    );
    EXPECT_EQ(with(R"("from":{"id":9,"is_bot":true})").sender.kind, sender_kind::bot);
}

TEST(group_content, has_the_words_of_a_rich_message) {
    auto const message = with(
        R"("rich_message":{"blocks":[{"type":"heading","text":"Deals"},{"type":"list","items":[{"text":"one"}]}]})"
    );
    EXPECT_EQ(message.text, "Deals one ");
}

TEST(group_content, reads_reactions_requests_and_deletions) {
    auto const content = [](std::string_view body) {
        return std::get<update>(parse_update(body)).content;
    };
    auto const reaction = std::get<reaction_update>(content(samples::reaction));
    EXPECT_EQ(reaction.where.id, chat_id{-1002233445566});
    EXPECT_EQ(reaction.change.message, telegram_message_id{4201});
    EXPECT_EQ(reaction.change.person.user, user_id{5401122337});
    EXPECT_EQ(reaction.change.now, std::vector<std::string>{"👍"});
    auto const of_chat = std::get<reaction_update>(content(
        R"({"update_id":1,"message_reaction":{"chat":{"id":-3},"message_id":4,"actor_chat":{"id":-8,"title":"Shop"},
        "old_reaction":[{"type":"paid"}],"new_reaction":[{"type":"custom_emoji","custom_emoji_id":"77"}]}})"
    ));
    EXPECT_EQ(of_chat.change.chat, chat_id{-8});
    EXPECT_EQ(of_chat.change.before, std::vector<std::string>{"paid"});
    EXPECT_EQ(of_chat.change.now, std::vector<std::string>{"custom:77"});
    auto const join = std::get<join_update>(content(
        R"({"update_id":1,"chat_join_request":{"chat":{"id":-3},"from":{"id":7,"first_name":"Eve"},"bio":"hi"}})"
    ));
    EXPECT_EQ(join.request.person.name, "Eve");
    EXPECT_EQ(join.request.bio, "hi");
    auto const deleted = std::get<deleted_messages>(content(
        R"({"update_id":1,"deleted_business_messages":{"business_connection_id":"a","chat":{"id":7,"type":"private"},"message_ids":[3,4]}})"
    ));
    EXPECT_EQ(deleted.messages.size(), 2u);
}

TEST(group_content, a_null_anywhere_makes_the_update_unusable) {
    for (auto const* members :
         {R"("text":"x","via_bot":{"id":1,"first_name":"a\u0000"})",
          R"("contact":{"first_name":"a","phone_number":"1\u0000"})",
          R"("text":"x","reply_markup":{"inline_keyboard":[[{"text":"a","url":"b\u0000"}]]})"}) {
        auto const body =
            std::string(R"({"update_id":1,"message":{"message_id":2,"chat":{"id":-3},)") + members +
            "}}";
        EXPECT_TRUE(std::holds_alternative<unusable_update>(parse_update(body))) << members;
    }
}

} // namespace
} // namespace postrider::telegram::group_content_test
