#pragma once
// A bot of this process as it runs, for those who operate it. No secret is in it.
#include <cstdint>
#include <optional>
#include <string>

namespace postrider::server {

// As Telegram told of it.
struct webhook_state {
    std::string url; // "" = none is set
    std::int64_t pending = 0;
    std::string last_error = {};
    std::string last_error_at = {}; // ISO 8601 in UTC, as the next; "" = not known
    std::string as_of = {};         // when Telegram told of it
};

struct bot_state {
    std::string name;
    std::string agent;
    bool polls = true; // else Telegram posts to the webhook
    // What Telegram told last. Nothing: it polls, or Telegram has told nothing yet.
    std::optional<webhook_state> webhook = {};
    std::optional<bool> reads_all_group_messages = {}; // nothing: Telegram has not told yet
    std::size_t owners = 0;
    std::size_t allowed_users = 0;
    std::size_t allowed_chats = 0;
};

} // namespace postrider::server
