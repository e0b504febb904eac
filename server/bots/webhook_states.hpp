#pragma once
// A webhook as Telegram told of it, for those who operate its bot. Pure.
#include "server/start/bot_state.hpp"
#include "server/telegram/bot_api.hpp"

namespace postrider::server {

webhook_state webhook_state_of(telegram::webhook_info const& info, base::sys_time now);

} // namespace postrider::server
