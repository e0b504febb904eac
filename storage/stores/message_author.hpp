#pragma once
// Who said a message, and what Telegram says of its author and of how it came. The parts by which
// messages are looked for are columns of their own (message_row); what is only read stands here. It is
// read by SQL: postrider.author_of(), which the views and the API show. Turns do not read it.
//
// Personal data: it is stored with its message, deleted with it, and never logged. Pure.
#include "base/ids.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::storage {

enum class message_origin {
    person,
    agent,  // a model or the rules that stand in for it, and their tools
    engine, // apologies, approvals, answers to commands, reminders
    node,   // a node of a flow, with a text of its own
};

std::string_view to_string(message_origin origin) noexcept;

// Where a forwarded message was first.
struct message_forward {
    std::string kind;               // Telegram's word: user, hidden_user, chat, channel
    std::optional<std::int64_t> id; // of the user or the chat; a hidden user has none
    std::string name = {};          // as shown
    std::string username = {};      // without '@'
    std::optional<telegram_message_id> message = {}; // its number in the channel
    std::optional<std::chrono::sys_seconds> date = {};

    bool operator==(message_forward const&) const = default;
};

// Empty = Telegram says nothing of it.
struct message_author {
    std::string username = {}; // without '@'
    std::string first_name = {};
    std::string last_name = {};
    bool is_bot = false;
    std::string chat_username = {};         // of the chat in whose name it was written
    std::optional<user_id> reply_user = {}; // who wrote the message that it replies to
    std::string quote = {};                 // the words of that which the sender chose
    std::optional<message_forward> forward = {};
    std::string media = {}; // Telegram's word: photo, voice, document, …; its caption is the text

    bool operator==(message_author const&) const = default;
};

boost::json::object to_json(message_forward const& forward);
// Null where nothing is known.
boost::json::value to_json(message_author const& author);

} // namespace postrider::storage
