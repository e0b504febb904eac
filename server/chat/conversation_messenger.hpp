#pragma once
// agent::messenger for conversations of the chat API: what is sent stands in the conversation's
// messages, where the person reads it, with its markup, media and buttons; edits, reactions and
// removals change it there. On the executor's one thread.
//
// All of it is one row of a batch, and twice equals once: a message that a crash sends again is the
// same message. A conversation has one person, its own user; nobody can be restricted or banned
// there (refused). The answer to a press is kept as the message's note.
#include "agent/talk/refusing_messenger.hpp"
#include "base/random.hpp"
#include "storage/batcher.hpp"
#include "storage/stores/conversation_messages.hpp"

namespace postrider::chat {

class conversation_messenger final : public agent::refusing_messenger {
public:
    // The batchers and the source of chance outlive it.
    conversation_messenger(
        storage::batcher& writes, storage::batcher& reads, base::random_source& random
    );

    base::awaitable<base::result<telegram_message_id>> send(agent::outgoing message) override;
    base::awaitable<base::result<void>> edit(
        agent::address chat, telegram_message_id message, agent::message_content content
    ) override;
    base::awaitable<base::result<void>> react(
        agent::address chat, telegram_message_id message, std::string emoji
    ) override;
    base::awaitable<base::result<void>> remove(agent::address chat, telegram_message_id message)
        override;
    base::awaitable<base::result<void>> answer_press(
        agent::address chat, std::string press, std::string note, bool alert
    ) override;
    base::awaitable<base::result<agent::chat_member>> get_member(agent::address chat, user_id user)
        override;

private:
    // True: there is such a message.
    base::awaitable<base::result<bool>> change(storage::message_change change);

    storage::batcher& writes_;
    storage::batcher& reads_;
    base::random_source& random_;
};

} // namespace postrider::chat
