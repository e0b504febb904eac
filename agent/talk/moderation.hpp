#pragma once
// What may be done to the members and messages of a group. All of it is idempotent: done twice it is as
// done once. An end that is not given is never; one within half a minute or beyond a year is taken for that.
#include "base/clock.hpp"
#include "base/ids.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <variant>
#include <vector>

namespace postrider::agent {

struct restrict_member {
    user_id user{};
    bool may_send = false; // true lifts the restriction
    std::optional<base::sys_time> until = {};
};

struct ban_member {
    user_id user{};
    bool deletes_messages = false; // all that the user wrote there
    std::optional<base::sys_time> until = {};
};

struct unban_member {
    user_id user{};
};

// A channel, or another chat, in whose name people write there.
struct ban_sender_chat {
    chat_id chat{};
};

struct unban_sender_chat {
    chat_id chat{};
};

// Those that are gone already count as deleted.
struct remove_messages {
    std::vector<telegram_message_id> messages;
};

struct answer_join_request {
    user_id user{};
    bool approves = true;
};

using moderation = std::variant<
    restrict_member,
    ban_member,
    unban_member,
    ban_sender_chat,
    unban_sender_chat,
    remove_messages,
    answer_join_request>;

// {"operation", and "user", "sender_chat" or "messages"}: for people, and for the nodes behind.
boost::json::object to_json(moderation const& act);

} // namespace postrider::agent
