#pragma once
// The list that Telegram shows to a person who types '/': the product's commands (agent/language/command.hpp)
// in front, behind them those that somebody gave the bot in another way, as by @BotFather, which
// stay. Private chats have a list of their own, with the commands that only make sense there, and so has each
// language of the product. On the executor's one thread.
#include "server/telegram/bot.hpp"
#include "storage/database.hpp"

#include <vector>

namespace postrider::server {

// What the list is to be where these are there. Pure.
std::vector<telegram::bot_command> with_own_commands(
    std::vector<telegram::bot_command> const& listed, telegram::command_list const& list
);

// Reads all lists, and sets those that are other ones. Where the database knows that this was done with the same
// commands, only the list of all is read, which @BotFather changes: a bot as it was costs one call. A failure is
// logged and matters to nothing else: the next start looks again.
base::awaitable<void> offer_commands(telegram::bot& bot, storage::database& db);

} // namespace postrider::server
