#pragma once
// What Telegram sends us, as plain values: the few parts of an update that the product uses, read
// tolerantly (unknown members are never an error). The wire format stays in update.cpp.
//
// Source: Bot API 10.3. A member that we do not handle is named, not read. Pure.
#include "agent/talk/group_event.hpp"
#include "agent/talk/image.hpp"
#include "agent/talk/message_file.hpp"
#include "agent/talk/messenger.hpp"
#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/json/json.hpp"
#include "storage/stores/message_author.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace postrider::telegram {

struct person {
    user_id id{};
    bool is_bot = false;
    std::string name;          // as shown: first and last
    std::string username;      // without '@'; may be empty
    std::string language = {}; // of the person's Telegram: "de", "pt-br"; may be empty
};

struct place {
    chat_id id{};
    bool is_private = false; // else a group, a supergroup or a channel
};

// In whose name a message is written: a group, of an anonymous admin, or a channel.
struct sender_chat {
    chat_id id{};
    std::string title = {};
};

// A part of a text that Telegram knows for somebody's "@name" or a "/command@name".
struct text_mark {
    std::int64_t offset = 0; // in UTF-16 units, as the length
    std::int64_t length = 0;
};

struct message {
    telegram_message_id id{};
    place where;
    thread_id thread{}; // forum topic; 0 = none, also for a plain reply's thread
    std::optional<person> from;
    std::optional<sender_chat> as_chat; // `from` is a mask then
    std::int64_t date = 0;              // Unix seconds
    std::int64_t edited = 0;            // the same; 0 = never
    std::optional<std::string> text;    // or the caption
    std::vector<text_mark> marks = {};
    std::vector<agent::image_source> images = {};
    std::optional<agent::message_file> file = {};
    bool service = false;                       // joined, pinned, renamed, …
    std::optional<chat_id> migrated_to;         // service: the group is a supergroup now
    std::optional<telegram_message_id> replied; // what it replies to in this chat
    std::optional<user_id> reply_to;            // who wrote that
    // Of what it replies to, here or in another chat: its author as shown, and its words, or those of it
    // that the sender quotes; shortened.
    std::string replied_by = {};
    std::string replied_text = {};
    std::optional<agent::message_file> replied_file = {};
    std::string replied_album = {}; // that it is a part of
    // What it brings beside text and images: "voice message"; "" = nothing.
    std::string attachment = {};
    std::optional<std::int64_t> spoken = {}; // seconds of a voice message or another recording
    bool is_said = false;                    // those words are all that there is to it: a location
    std::string album = {}; // that it is a part of: several messages that were sent as one
    std::optional<user_id> via_bot;
    bool is_of_business_bot = false;     // a bot sent it in the name of a business account
    storage::message_author author = {}; // what is stored of the sender and of how it came
    agent::group_message seen = {};      // as everybody there sees it
};

struct new_message {
    telegram::message message;
};

struct edited_message {
    telegram::message message;
};

struct button_press {
    std::string query;
    person from;
    std::optional<place> where; // unknown for an inline message
    telegram_message_id message{};
    thread_id thread{};
    std::string data;
    std::string shown = {}; // the message's words
};

// Somebody was added, promoted, restricted, …
struct member_change {
    place where;
    person by;
    person member;
    agent::member_standing before = agent::member_standing::left;
    agent::member_standing now = agent::member_standing::member;
    bool is_own = false; // the bot's own: my_chat_member
};

// Reactions to a message in a chat where the bot is an administrator.
struct reaction_update {
    place where;
    agent::reaction_change change;
};

// To a group where the bot is an administrator.
struct join_update {
    place where;
    agent::join_request request;
};

// A person connected the bot with their business account, changed its rights there or took it away.
struct business_change {
    std::string connection;
    user_id account{};
    std::int64_t date = 0; // of the connection, Unix seconds
    bool is_enabled = false;
    bool may_reply = false;
};

// In a chat of a business account that the bot is connected with: of other chats Telegram tells no bot.
struct deleted_messages {
    place where;
    std::vector<telegram_message_id> messages;
};

// The person pressed Stop on a draft in their private chat.
struct stopped_draft {
    place where;
    std::int64_t number = 0; // of the draft
};

struct other_update {
    std::string member; // its name in the update; empty when there is none
};

struct update {
    update_id id{};
    std::variant<
        new_message,
        edited_message,
        button_press,
        member_change,
        reaction_update,
        join_update,
        deleted_messages,
        stopped_draft,
        business_change,
        other_update>
        content;
    // That the messages came by; "" = they are of a chat of the bot's own. Telegram calls a chat of a business
    // account as it calls the customer's own chat with the bot: business.hpp tells them apart.
    std::string business = {};
};

// An update by its name, of which nothing more can be used: beyond our limits, or not as
// documented.
struct unusable_update {
    update_id id{};
    base::error cause; // invalid or too_large
};

// Not JSON, or no integer update_id.
struct not_an_update {};

using parsed_update = std::variant<update, unusable_update, not_an_update>;

parsed_update parse_update(std::string_view body);

// A BusinessConnection, as an update or an answer has it; the reader notes what is wrong.
business_change read_business_change(base::json_reader const& root);

// The same of a body of which only the beginning is here: too_large, or not_an_update.
parsed_update parse_cut_update(std::string_view beginning);

} // namespace postrider::telegram
