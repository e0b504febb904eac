#pragma once
// How the bots of this process are set up at Telegram. On the executor's one thread.
#include "server/telegram/bot.hpp"
#include "server/views/bot_setup.hpp"

#include <memory>

namespace postrider::server {

// The bots outlive it.
std::unique_ptr<bot_setup> make_bot_setup(telegram::bot_list bots, base::clock const& clock);

} // namespace postrider::server
