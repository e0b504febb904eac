#pragma once
// The groups of the bots of this process, at Telegram. On the executor's one thread.
#include "server/telegram/bot.hpp"
#include "server/views/group_desk.hpp"

#include <memory>

namespace postrider::server {

// The bots outlive it.
std::unique_ptr<group_desk> make_group_desk(telegram::bot_list bots);

} // namespace postrider::server
