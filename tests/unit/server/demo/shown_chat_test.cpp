// What people see of the simulated Telegram's chat.
#include "server/demo/shown_chat.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace postrider::server::shown_chat_test {
namespace {

namespace json = boost::json;

class shown : public testing::Test {
protected:
    // As the simulated Telegram tells of a call that it carried out.
    bool hear(std::string method, std::string params, std::int64_t number = 0) {
        telegram::simulated_call call;
        call.method = std::move(method);
        call.params = json::parse(params).as_object();
        for (auto const* member : {"text", "caption"})
            if (auto const* text = call.params.if_contains(member)) call.text = text->as_string();
        call.message = telegram_message_id{number};
        call.carried_out = carried_out;
        return chat.carry_out(call, "2026-11-30T10:00:01Z");
    }
    json::object last() { return chat.to_json().back().as_object(); }

    bool carried_out = true;
    shown_chat chat;
};

TEST_F(shown, a_message_of_the_bot_has_its_visible_text_and_its_buttons) {
    EXPECT_TRUE(hear(
        "sendMessage",
        R"({"text": "<b>Sure</b>?", "parse_mode": "HTML", "reply_markup": {"inline_keyboard":
            [[{"text": "Yes", "callback_data": "q:yes"}, {"text": "Page", "url": "https://a.org"}]]}})",
        7
    ));

    EXPECT_EQ(
        json::serialize(last()),
        R"({"id":"7","role":"assistant","origin":"agent","content":"Sure?","created_at":"2026-11-30T10:00:01Z",)"
        R"("buttons":[[{"text":"Yes","data":"q:yes"},{"text":"Page","url":"https://a.org"}]]})"
    );
    EXPECT_TRUE(chat.find(telegram_message_id{7})->has_button("q:yes"));
    EXPECT_FALSE(chat.find(telegram_message_id{7})->has_button("q:no"));
}

TEST_F(shown, what_was_not_carried_out_is_not_shown) {
    carried_out = false;

    EXPECT_FALSE(hear("sendMessage", R"({"text": "lost"})", 7));
    EXPECT_TRUE(chat.to_json().empty());
}

TEST_F(shown, edits_reactions_and_deletions_are) {
    hear("sendPhoto", R"({"photo": "https://a.org/x.png", "caption": "one"})", 7);
    EXPECT_EQ(last().at("media").at("source"), "https://a.org/x.png");
    hear("editMessageCaption", R"({"message_id": 7, "caption": "two"})", 7);
    EXPECT_EQ(last().at("content"), "two");
    EXPECT_EQ(last().at("edited_at"), "2026-11-30T10:00:01Z");
    hear("editMessageReplyMarkup", R"({"message_id": 7})", 7);
    EXPECT_EQ(last().at("content"), "two") << "only the buttons change";
    hear(
        "setMessageReaction", R"({"message_id": 7, "reaction": [{"type": "emoji", "emoji": "🔥"}]})"
    );
    EXPECT_EQ(last().at("reaction"), "🔥");
    EXPECT_TRUE(hear("deleteMessage", R"({"message_id": 7})", 7));
    EXPECT_TRUE(chat.to_json().empty());
    EXPECT_FALSE(hear("sendChatAction", R"({"action": "typing"})"));
}

TEST_F(shown, a_note_stands_at_the_message_whose_button_was_pressed_last) {
    hear("sendMessage", R"({"text": "Sure?"})", 7);
    chat.press(telegram_message_id{7}, "41");

    EXPECT_FALSE(hear("answerCallbackQuery", R"({"callback_query_id": "40", "text": "old"})"));
    EXPECT_TRUE(hear("answerCallbackQuery", R"({"callback_query_id": "41", "text": "Done"})"));

    EXPECT_EQ(last().at("note").at("text"), "Done");
}

TEST_F(shown, a_persons_picture_is_had_from_this_server) {
    chat.add(
        {.id = telegram_message_id{3},
         .is_persons = true,
         .text = "look",
         .created_at = "t",
         .media = "photo",
         .picture = "bytes"}
    );

    EXPECT_EQ(last().at("media").at("source"), "/api/v1/demo/pictures/3");
    EXPECT_EQ(last().at("role"), "user");
}

TEST_F(shown, the_newest_pictures_stay_and_older_ones_are_told_to_be_gone) {
    auto const add = [&](int id, std::size_t bytes) {
        chat.add(
            {.id = telegram_message_id{id},
             .is_persons = true,
             .media = "photo",
             .picture = std::string(bytes, 'x')}
        );
    };
    auto const media = [&](std::size_t at) {
        return chat.to_json().at(at).at("media").as_object();
    };
    for (int id = 1; id <= 21; ++id) add(id, 10);

    EXPECT_TRUE(media(0).contains("gone"));
    EXPECT_EQ(media(0).at("source"), "/api/v1/demo/pictures/1");
    EXPECT_FALSE(media(1).contains("gone"));
    EXPECT_TRUE(chat.find(telegram_message_id{1})->is_picture_gone);
    EXPECT_TRUE(chat.find(telegram_message_id{1})->picture.empty());

    add(22, shown_chat::most_picture_bytes);
    EXPECT_TRUE(media(20).contains("gone"));
    EXPECT_FALSE(media(21).contains("gone"));
}

TEST_F(shown, the_newest_hundred_stay_in_order) {
    for (int id = 120; id > 0; --id) chat.add({.id = telegram_message_id{id}});

    auto const all = chat.to_json();
    EXPECT_EQ(all.size(), 100u);
    EXPECT_EQ(all.back().at("id"), "120");
}

} // namespace
} // namespace postrider::server::shown_chat_test
