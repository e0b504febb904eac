#pragma once
// agent::messenger over Telegram, for all bots. On the executor's one thread.
//
// What Telegram tells of chats and bots is honoured at once and remembered: a 429 delays its chat,
// and sends to it fail fast meanwhile; a 401 stops the bot (breaker.hpp, and with it the gate of
// its resource() for all processes); a 403 marks the chat; a migrated group is written to under its
// new id.
//
// A 400 is a certain no, so the form that satisfies it is sent at once, as part of the same call:
// plain text where the markup does not parse, no reply where its target is gone, several messages
// where the text is too long, a caption where the message has no text. All forms together have one
// deadline, and one that could outlast it is left to the next try (timeout). Only when several
// messages were begun and not ended is the outcome ambiguous.
#include "agent/talk/messenger.hpp"
#include "server/telegram/bot.hpp"
#include "storage/database.hpp"

#include <memory>

namespace postrider::telegram {

class telegram_messenger : public agent::messenger {
public:
    // Reads what other processes were told of chats. Failures as in storage/database.hpp.
    virtual base::awaitable<base::result<void>> restore() = 0;
};

// Everything given must outlive it.
std::unique_ptr<telegram_messenger> make_messenger(
    bot_list const& bots, chat_moves& moves, base::clock& clock, storage::database& db
);

} // namespace postrider::telegram
