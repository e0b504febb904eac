#pragma once
// The message that a person's word or a press is about: its catch, or else what the archive has of it.
#include "agent/spam/store/catches.hpp"
#include "agent/talk/address.hpp"
#include "storage/stores/said_messages.hpp"

namespace postrider::agent {

// As a message that was not caught yet.
spam::stored_catch as_subject(bot_id bot, storage::spoken_message const& said);

// None: neither knows it. Failures as of storage::query().
base::awaitable<base::result<std::optional<spam::stored_catch>>> find_subject(
    storage::batcher& reads, bot_id bot, spam::catch_key key, base::duration deadline
);
// The same of a message whose author is not known yet.
base::awaitable<base::result<std::optional<spam::stored_catch>>> find_subject(
    storage::batcher& reads,
    bot_id bot,
    chat_id chat,
    telegram_message_id message,
    base::duration deadline
);

} // namespace postrider::agent
