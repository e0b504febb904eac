#pragma once
// [bots.NAME]: what a bot can be told. A setting of it is one value in bot_settings.cpp, and the member
// that it sets.
#include "base/secret.hpp"
#include "base/settings.hpp"
#include "server/telegram/bot_settings.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::server {

inline constexpr std::string_view telegrams_own = "https://api.telegram.org";

// The database and Telegram say who it is.
struct bot_config : telegram::bot_settings {
    base::secret token;
    base::secret webhook_secret; // empty = made at the first start
    std::string api_base;
    int sends_per_second = 0; // 0 = unlimited
};

struct bot_setting {
    base::setting row;
    // The key is the row's, with the bot's name.
    void (*read)(base::settings const& values, std::string const& key, bot_config& into);
};

std::span<bot_setting const> bot_settings();

// For the table of all settings.
std::vector<base::setting> bot_rows();
bot_config read_bot(
    base::settings const& values,
    std::string const& name,
    std::span<bot_setting const> settings = bot_settings()
);

} // namespace postrider::server
