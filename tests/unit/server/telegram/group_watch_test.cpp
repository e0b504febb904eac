// What a flow that watches a group sees, and what it does not.
#include "server/telegram/group_watch.hpp"
#include "tests/unit/server/telegram/samples.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::group_watch_test {
namespace {

constexpr user_id friendly{10};

bot_settings settings() {
    bot_settings bot;
    bot.id = bot_id{3};
    bot.self = user_id{99};
    bot.username = "fern_bot";
    bot.allowlist = {{friendly}, {chat_id{-3}}};
    return bot;
}

std::optional<watched_update> watched_in(std::string_view body) {
    auto const parsed = parse_update(body);
    return watched(std::get<update>(parsed), settings());
}

// A message of a stranger in the group, with these members.
std::optional<watched_update> message_with(
    std::string const& members, std::string const& chat = "-3", std::string const& kind = "message"
) {
    return watched_in(
        R"({"update_id":1,")" + kind + R"(":{"message_id":2,"chat":{"id":)" + chat +
        R"(,"type":"supergroup"},"from":{"id":11,"first_name":"Eve"},)" + members + "}}"
    );
}

// covers: S4.01
TEST(group_watch, sees_what_is_dropped_otherwise) {
    struct sample {
        std::string members;
        std::string stored; // the text of its row
    };
    for (auto const& [members, stored] : std::vector<sample>{
             {R"("text":"buy now")", "buy now"},
             {R"("sticker":{"emoji":"🌿"})", R"((sticker "🌿"))"},
             {R"("voice":{})", "(voice message)"},
             {R"("photo":[{"file_id":"a"}])", "(image)"},
             {R"("text":"x","sender_chat":{"id":-8,"title":"Shop"})", "x"},
             {R"("text":"x","from":{"id":12,"is_bot":true,"first_name":"Other"})", "x"},
             {R"("new_chat_members":[{"id":13,"first_name":"Dan"}])", "(new_chat_members: Dan)"},
             {R"("pinned_message":{"message_id":1})", "(pinned_message)"},
             {R"("text":"/start now")", "/start now"},
             {R"("unknown_thing":{})", "(message)"}}) {
        auto const incident = message_with(members);
        ASSERT_TRUE(incident) << members;
        EXPECT_EQ(incident->event, agent::group_event::message);
        EXPECT_EQ(incident->job.text, stored) << members;
        EXPECT_EQ(incident->job.heard.seen.at("event"), "message");
        EXPECT_EQ(incident->job.heard.message, telegram_message_id{2});
        EXPECT_EQ(incident->job.command, "") << "a stranger commands nothing";
        EXPECT_EQ(incident->effect.index(), 0u);
    }
}

TEST(group_watch, the_text_of_a_message_stands_in_its_row_alone) {
    EXPECT_FALSE(message_with(R"("text":"buy now")")->job.heard.seen.contains("text"));
    auto const wordless = message_with(R"("sticker":{"emoji":"🌿"})");
    EXPECT_EQ(item_of(wordless->job.heard, wordless->job.text).at("text"), "");
    EXPECT_EQ(item_of(wordless->job.heard, wordless->job.text).at("media"), "sticker");
    auto const plain = message_with(R"("text":"buy now")");
    EXPECT_EQ(item_of(plain->job.heard, plain->job.text).at("text"), "buy now");
    EXPECT_EQ(item_of(plain->job.heard, plain->job.text).at("addressed"), false);
}

TEST(group_watch, tells_a_reply_to_the_bot_from_other_replies) {
    auto const reply_to = [](std::string const& user) {
        auto const incident = message_with(
            R"("text":"/spam","reply_to_message":{"message_id":1,"text":"hi","from":{"id":)" +
            user + R"(,"first_name":"X"}})"
        );
        return incident->job.heard.seen.at("reply").as_object().contains("own");
    };

    EXPECT_TRUE(reply_to("99"));
    EXPECT_FALSE(reply_to("12"));
}

TEST(group_watch, sees_nothing_of_other_chats_of_itself_and_of_moves) {
    EXPECT_FALSE(message_with(R"("text":"x")", "-4")) << "not allowed";
    EXPECT_FALSE(message_with(R"("text":"x","from":{"id":99,"is_bot":true})")) << "its own";
    EXPECT_FALSE(message_with(R"("migrate_to_chat_id":-100)"));
    EXPECT_FALSE(watched_in(
        R"({"update_id":1,"message":{"message_id":2,"chat":{"id":10,"type":"private"},"from":{"id":10},"text":"x"}})"
    ));
    EXPECT_FALSE(watched_in(samples::press));
    EXPECT_FALSE(watched_in(R"({"update_id":1,"poll":{}})"));
}

TEST(group_watch, commands_are_those_of_people_who_have_the_right) {
    auto const body =
        R"({"update_id":1,"message":{"message_id":2,"chat":{"id":-3,"type":"supergroup"},"from":{"id":10},"text":"/new"}})";
    auto const incident = watched_in(body);
    EXPECT_EQ(incident->job.command, "/new");
    EXPECT_TRUE(incident->may_command);
    EXPECT_TRUE(incident->job.heard.addressed);
}

TEST(group_watch, an_album_is_as_many_messages_as_it_has_parts) {
    auto const incident = message_with(R"("photo":[{"file_id":"a"}],"media_group_id":"12")");
    EXPECT_EQ(incident->job.album, "");
    EXPECT_FALSE(incident->job.heard.of_album);
    EXPECT_EQ(incident->job.heard.seen.at("album"), "12");

    auto const file = message_with(
        R"("document":{"file_id":"a"},"media_group_id":"12","from":{"id":10,"first_name":"Al"})"
    );
    EXPECT_FALSE(file->may_command) << "nothing of it is explained there";
    EXPECT_EQ(file->job.command, "");
}

// covers: S4.07
TEST(group_watch, an_edit_brings_its_new_words_and_changes_the_archive) {
    auto const incident = message_with(R"("text":"buy now","edit_date":5)", "-3", "edited_message");
    ASSERT_TRUE(incident);
    EXPECT_EQ(incident->event, agent::group_event::edit);
    EXPECT_EQ(incident->job.heard.seen.at("text"), "buy now");
    auto const& edit = std::get<to_edit>(incident->effect);
    EXPECT_EQ(edit.edit.text, "buy now");
    EXPECT_EQ(edit.edit.message, telegram_message_id{2});
    EXPECT_EQ(edit.edit.order->date, 5);
    EXPECT_FALSE(message_with(R"("text":"x")", "-4", "edited_message"));
}

TEST(group_watch, sees_members_reactions_and_requests) {
    auto const member = watched_in(
        R"({"update_id":1,"chat_member":{"chat":{"id":-3,"type":"supergroup"},"from":{"id":10,"first_name":"Al"},
        "new_chat_member":{"user":{"id":11,"first_name":"Eve"},"status":"member"},
        "old_chat_member":{"user":{"id":11},"status":"left"}}})"
    );
    EXPECT_EQ(member->event, agent::group_event::member);
    EXPECT_EQ(member->job.heard.seen.at("standing"), "member");
    EXPECT_EQ(member->job.heard.user, user_id{11});
    EXPECT_TRUE(std::holds_alternative<to_member_event>(member->effect));
    auto const reaction = watched_in(
        R"({"update_id":1,"message_reaction":{"chat":{"id":-3,"type":"supergroup"},"message_id":4,"user":{"id":11,"first_name":"Eve"},
        "old_reaction":[],"new_reaction":[{"type":"emoji","emoji":"🔥"}]}})"
    );
    EXPECT_EQ(reaction->event, agent::group_event::reaction);
    EXPECT_EQ(reaction->job.heard.message, telegram_message_id{4});
    auto const join = watched_in(
        R"({"update_id":1,"chat_join_request":{"chat":{"id":-3,"type":"supergroup"},"from":{"id":12,"first_name":"Dan"},"bio":"hi"}})"
    );
    EXPECT_EQ(join->event, agent::group_event::join_request);
    EXPECT_EQ(join->job.heard.user, user_id{12});
    EXPECT_EQ(join->job.lane_key, member->job.lane_key) << "the chat's";
}

} // namespace
} // namespace postrider::telegram::group_watch_test
