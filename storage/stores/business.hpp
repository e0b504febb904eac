#pragma once
// Business accounts that a bot is connected with, and the chats of their customers. Such a chat has a number of
// ours (agent/talk/address.hpp, is_business()).
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::storage {

// As Telegram tells of it.
struct business_connection {
    bot_id bot{};
    std::string id;
    user_id account{};
    std::int64_t connected_at = 0; // Unix seconds
    bool is_enabled = false;
    bool may_reply = false;
};

// What is told last holds. Order 12; returns no row.
write keep_business_connection(business_connection const& connection);

// A chat of a customer, as an update of a connection names it.
struct business_chat {
    chat_id chat{}; // ours
    user_id account{};
    user_id customer{};
    bool may_reply = false; // and the connection is enabled
};

// The chat, which gets its number the first time; no row where the connection is unknown. Order 9.
write find_business_chat(bot_id bot, std::string_view connection, user_id customer);
business_chat read_business_chat(row const& entry);

// How a chat is written to. The account may have been connected several times.
struct business_way {
    std::string connection;
    chat_id chat{}; // Telegram's
    bool may_reply = false;
    user_id account{};
};

// Nothing: there is no such chat. Failures as of database::query().
base::awaitable<base::result<std::optional<business_way>>> find_business_way(
    database& db, bot_id bot, chat_id chat, base::duration deadline
);

// What stands for a customer in their business chats, wherever a user's id does. Throws as transaction::query() does.
std::vector<user_id> business_numbers(transaction& tx, user_id customer);

} // namespace postrider::storage
