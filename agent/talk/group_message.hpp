#pragma once
// A message as everybody in its group sees it: who wrote it, what it consists of, and how it came. Filters
// judge it and archives keep it. Texts are those of the sender, cut where a header says so, and nothing of
// it is a command to anybody. Members that a message lacks are empty. Pure.
#include "base/ids.hpp"
#include "storage/stores/message_author.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

// In whose name a message stands. Of a chat's the user is a stand-in of Telegram's, no person.
enum class sender_kind { member, bot, anonymous_admin, linked_channel, channel };
std::string_view to_string(sender_kind kind) noexcept;
std::optional<sender_kind> sender_kind_from(std::string_view name) noexcept;

struct message_sender {
    sender_kind kind = sender_kind::member;
    user_id user{};
    std::optional<chat_id> chat = {}; // the group of an anonymous administrator, or a channel
    std::string name = {};            // as shown: first and last name, or the chat's title
    std::string username = {};        // without '@'; of the chat, where it writes
    std::string language = {};        // of the person's Telegram: "de", "pt-br"

    bool operator==(message_sender const&) const = default;
};

struct message_link {
    std::string url;
    std::string text = {}; // that hides the url; "" = the url is what people see

    bool operator==(message_link const&) const = default;
};

// Somebody whom a message names: by an "@name", by a number, or both.
struct named_person {
    user_id user{}; // 0 = not told
    std::string name = {};
    std::string username = {}; // without '@'
    bool is_bot = false;

    bool operator==(named_person const&) const = default;
};

// The message that another one replies to, in another chat, or a story.
struct outside_reply {
    std::string name = {};  // of its author, as shown
    std::string media = {}; // as group_message has it

    bool operator==(outside_reply const&) const = default;
};

// The message of the same chat that another one replies to.
struct inside_reply {
    telegram_message_id message{};
    user_id user{}; // 0 = a channel, or nobody whom Telegram names
    std::string name = {};
    std::string text = {}; // shortened
    bool is_own = false;   // the bot wrote it

    bool operator==(inside_reply const&) const = default;
};

struct shared_contact {
    std::string name = {};
    std::string phone = {};
    user_id user{}; // 0 = none at Telegram

    bool operator==(shared_contact const&) const = default;
};

struct group_message {
    message_sender sender = {};
    std::int64_t date = 0; // when it was sent, or edited: Unix seconds by Telegram's clock
    std::string text = {}; // or the caption
    std::vector<message_link> links = {};
    std::vector<named_person> mentions = {};
    std::int64_t custom_emoji = 0;          // how many
    std::vector<std::string> spoilers = {}; // the words that are covered
    std::string quote = {};                 // words that the sender chose of what it replies to
    std::optional<inside_reply> reply = {};
    std::optional<outside_reply> external_reply = {};
    std::optional<storage::message_forward> forward = {};
    std::optional<shared_contact> contact = {};
    std::optional<named_person> via_bot = {};
    bool has_keyboard = false;
    std::vector<message_link> buttons = {}; // of it, those with a url
    std::string media = {};   // Telegram's word: photo, video, sticker, story, poll, …
    std::string album = {};   // several messages with the same one were sent together
    std::string service = {}; // Telegram's word: new_chat_members, pinned_message, …
    std::vector<named_person> people = {}; // who joined, or left

    bool operator==(group_message const&) const = default;
};

// What is not there has no member, but `sender` and `text`.
boost::json::object to_json(group_message const& message);
boost::json::object to_json(named_person const& person);
// Tolerant: of what is no such message the empty parts.
group_message group_message_from(boost::json::value const& message);

} // namespace postrider::agent
