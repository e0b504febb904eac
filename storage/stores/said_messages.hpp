#pragma once
// One message of a watched group, by its number or by a forwarded copy of it. Failures as of query().
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <optional>
#include <string>

namespace postrider::storage {

struct spoken_message {
    chat_id chat{};
    telegram_message_id message{};
    user_id user{}; // of a channel's message Telegram's stand-in
    std::optional<chat_id> sender_chat = {};
    std::string name = {}; // as shown
    std::string text =
        {}; // also of one that is deleted by now; "" = only media, as far as anybody still knows
    bool is_removed = false;
    std::string album = {};   // that it is a part of; "" = none, or nobody knows any more
    bool is_of_group = false; // an anonymous administrator's, or a post of the linked channel
};

// None: no such message is stored, or another bot heard it.
base::awaitable<base::result<std::optional<spoken_message>>> find_said_message(
    batcher& reads, bot_id bot, chat_id chat, telegram_message_id message, base::duration deadline
);

// What a forward tells of its origin; the user is not told of people who hide it.
struct forwarded_copy {
    bot_id bot{};
    chat_id but_for{}; // where the copy is
    std::string text;
    std::optional<user_id> user = {};
    std::string name = {};
};
struct message_number {
    chat_id chat{};
    telegram_message_id message{};
};
// The newest of two days with exactly this text of this author, among the last 100,000 of the database.
base::awaitable<base::result<std::optional<message_number>>> find_forwarded(
    batcher& reads, forwarded_copy copy, base::duration deadline
);

} // namespace postrider::storage
