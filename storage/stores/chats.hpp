#pragma once
// What Telegram told of chats.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <chrono>
#include <optional>
#include <vector>

namespace postrider::storage {

// A group became a supergroup with another id: remembers it, and moves the group's lanes to the new
// id. A lane whose new key exists already stays where it is. Order 22; returns no row.
write migrate_chat(bot_id bot, chat_id from, chat_id to);

// The same and the following outside a batch; failures as in database.hpp.
base::awaitable<base::result<void>> store_migration(
    database& db, bot_id bot, chat_id from, chat_id to, base::duration deadline
);
base::awaitable<base::result<void>> store_blocked(
    database& db, bot_id bot, chat_id chat, base::duration deadline
);
// No send to the chat before `delay` has passed.
base::awaitable<base::result<void>> store_send_delay(
    database& db, bot_id bot, chat_id chat, std::chrono::milliseconds delay, base::duration deadline
);

// What a starting process must know of a chat.
struct chat_notice {
    bot_id bot{};
    chat_id chat{};
    std::optional<chat_id> migrated_to;
    std::optional<std::chrono::milliseconds> send_delay; // what remains of it
};

base::awaitable<base::result<std::vector<chat_notice>>> read_chat_notices(
    database& db, base::duration deadline
);

// What a supergroup was called before, oldest id first; mostly nothing. Blocking; throws as transaction::query() does.
std::vector<chat_id> former_chats(transaction& tx, chat_id chat);
// The id by which a group goes by now.
chat_id current_chat(transaction& tx, chat_id chat);

} // namespace postrider::storage
