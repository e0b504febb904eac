#pragma once
// The list that Telegram shows to a person who types '/': the product's commands (agent/language/command.hpp)
// in front, behind them those that somebody gave the bot in another way, as by @BotFather, which
// stay. Private chats have a list of their own, with the commands that only make sense there. On the
// executor's one thread.
#include "server/telegram/bot.hpp"

#include <vector>

namespace postrider::server {

// What the list is to be where these are there. Pure.
std::vector<telegram::bot_command> with_own_commands(
    std::vector<telegram::bot_command> const& listed, telegram::command_scope scope
);

// Sets both lists where they are other ones. A failure is logged and matters to nothing else: the next
// start looks again.
base::awaitable<void> offer_commands(telegram::bot& bot);

} // namespace postrider::server
