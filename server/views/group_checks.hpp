#pragma once
// What a bot sees of its groups, and what it may do there, for people: with the steps by which they change it.
#include "server/telegram/bot_api.hpp"
#include "server/telegram/bot_settings.hpp"
#include "server/views/finding.hpp"

namespace postrider::server {

// Whether messages to others reach the bot. `watches`: flows ask for them. Pure.
finding groups_finding(
    std::string const& bot, telegram::bot_identity const& identity, bool watches
);

// What the bot lacks to moderate the group, as it is a member there. Pure.
finding rights_finding(
    std::string const& bot,
    telegram::bot_identity const& identity,
    chat_id group,
    telegram::api_result<agent::chat_member> const& own
);

// Both, of the first twenty groups of the allowlist; of the rights only where flows watch groups. Each question
// is a call of Telegram with a deadline.
base::awaitable<findings> look_at_groups(
    telegram::bot_api& api,
    telegram::bot_settings const& bot,
    telegram::bot_identity identity,
    bool watches
);

} // namespace postrider::server
