#pragma once
// Where people are spoken to: a chat of a bot, or a conversation over the chat API. What speaks to
// an address does not ask which it is; the messenger does.
#include "base/ids.hpp"
#include "base/json/json.hpp"

#include <boost/uuid/uuid.hpp>

#include <string>
#include <string_view>

namespace postrider::agent {

// Trivially destructible: g++ 12 destroys braced temporaries of a co_await expression twice.
struct address {
    bot_id bot{};
    chat_id chat{};
    thread_id thread{};                // forum topic, 0 = none
    boost::uuids::uuid conversation{}; // nil = it is a chat; else the others are 0

    bool operator==(address const&) const = default;
    bool is_conversation() const noexcept { return !conversation.is_nil(); }
    // It names a place.
    bool is_complete() const noexcept {
        return is_conversation() || (base::raw(bot) != 0 && base::raw(chat) != 0);
    }
};

// What speaks there: "telegram" or "chat".
std::string_view messenger_of(address const& place) noexcept;
// The address with that topic. A conversation has none.
address in_thread(address place, thread_id thread) noexcept;

// Of a conversation's id; with one that is no UUID the address names no place.
address conversation_address(std::string_view id);
std::string conversation_of(address const& place); // "" = none

// "bot:chat:topic" or "chat:ID", the name of its own lane.
std::string own_lane_key(address const& place);

// Of a customer with the owner of a business account, in whose name the bot answers: a number of ours, for the chat
// and for the customer in it (storage/stores/business.hpp). The customer is nobody whom a setting, an approval or
// another chat's memory names. Telegram's own ids have 52 bits.
constexpr bool is_business(chat_id chat) noexcept {
    return base::raw(chat) >= std::int64_t{1} << 52;
}

// {"bot", "chat", "thread"}, or {"conversation"}; and what was read from it.
boost::json::object to_json(address const& place);
// {"chat"} or {"conversation"}: where a message went, for the items of a flow.
boost::json::object place_json(address const& place);
address address_from(base::json_reader const& fields);

} // namespace postrider::agent
