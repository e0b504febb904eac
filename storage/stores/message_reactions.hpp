#pragma once
// Reactions of people to messages of a chat, in the messages' detail: {"reactions": {"USER": ["👍"]}}; an empty list =
// they took theirs back. They start nothing; a model reads those to its answers with the next question.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <string>
#include <vector>

namespace postrider::storage {

// What the person's reactions to that message are now; none = they were taken away. Among the newest 500 messages of
// each of the chat's lanes; nothing where it is none of them. It locks rows of messages: its unit is apart. Order 78;
// returns no row.
write keep_reactions(
    bot_id bot,
    chat_id chat,
    telegram_message_id message,
    user_id user,
    std::vector<std::string> const& reactions
);

} // namespace postrider::storage
