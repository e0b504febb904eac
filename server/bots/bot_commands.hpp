#pragma once
// The list that Telegram shows to a person who types '/': the product's commands (agent/command.hpp)
// in front, behind them those that somebody gave the bot in another way, as by @BotFather, which
// stay. On the executor's one thread.
#include "server/telegram/bot.hpp"

#include <vector>

namespace postrider::server {

// What the list is to be where these are there. Pure.
std::vector<telegram::bot_command> with_own_commands(std::vector<telegram::bot_command> listed);

// Sets the list where it is another one. A failure is logged and matters to nothing else: the next
// start looks again.
base::awaitable<void> offer_commands(telegram::bot& bot);

} // namespace postrider::server
