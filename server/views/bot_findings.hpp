#pragma once
// What Telegram says of a bot and its webhook, in plain words. Pure.
#include "server/telegram/bot_api.hpp"
#include "server/views/finding.hpp"

#include <string>

namespace postrider::server {

// Whose the token is.
finding token_finding(
    std::string subject, telegram::api_result<telegram::bot_identity> const& identity
);

// Whether updates come. `expected_url`: where the webhook should be, "" = updates are polled.
finding webhook_finding(
    std::string const& bot,
    telegram::webhook_info const& info,
    std::string const& expected_url,
    base::sys_time now
);

} // namespace postrider::server
