#pragma once
// The configured bots: one row per name, for ever. Blocking start-up code and coroutines alike.
#include "base/ids.hpp"
#include "base/secret.hpp"
#include "storage/batcher.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::storage {

struct bot_row {
    bot_id id{};
    std::optional<user_id> telegram_id;
    std::string username;
    base::secret webhook_secret;
    std::optional<std::string> stopped_reason; // set while the bot is stopped
};

// The bot of that name, made when there is none. A bot without a webhook secret gets `new_secret`,
// and keeps it at every later start. Throws as transaction::query() does.
bot_row ensure_bot(transaction& tx, std::string_view name, base::secret const& new_secret);

// All that there ever were, by name. Throws likewise.
std::vector<std::string> bot_names(transaction& tx);

// A bot as people look at it. Instants are ISO 8601 in UTC; "" = none.
struct known_bot {
    std::string name;
    std::string username; // "" = Telegram has not told it yet
    std::optional<user_id> telegram_id;
    std::string stopped_at;
    std::string stopped_reason;
    std::string paused_at;
};

// All that there ever were, by name, those behind `after`. Throws likewise.
std::vector<known_bot> list_bots(transaction& tx, std::string_view after, int limit);

// The user that the token belongs to. For another bot than before, the inbox is emptied: update ids
// of two bots have nothing to do with each other.
base::awaitable<base::result<void>> store_identity(
    database& db, bot_id bot, user_id self, std::string username, base::duration deadline
);

// A digest of the commands that Telegram lists for the bot; "" = it is not known, as of another bot than before.
base::awaitable<base::result<std::string>> find_offered_commands(
    database& db, bot_id bot, base::duration deadline
);
base::awaitable<base::result<void>> store_offered_commands(
    database& db, bot_id bot, std::string digest, base::duration deadline
);

// The bot of that name that any node has ever had. Fails as batcher::commit() does.
base::awaitable<base::result<std::optional<bot_id>>> find_bot(
    batcher& reads, std::string name, base::duration deadline
);

// Telegram refused the token: no call until it works again; and that it does.
base::awaitable<base::result<void>> store_stopped(
    database& db, bot_id bot, std::string reason, base::duration deadline
);
base::awaitable<base::result<void>> store_running(
    database& db, bot_id bot, base::duration deadline
);

} // namespace postrider::storage
