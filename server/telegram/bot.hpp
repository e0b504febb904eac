#pragma once
// One configured bot at run time: what intake, webhook, polling and messenger share of it.
#include "server/telegram/bot_api.hpp"
#include "server/telegram/breaker.hpp"
#include "server/telegram/disposition.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace postrider::telegram {

struct bot {
    bot_settings settings;
    base::secret webhook_secret;
    std::unique_ptr<bot_api> api;
    std::unique_ptr<bot_breaker> breaker;
    std::string webhook_url = {};              // empty = polling
    std::optional<bot_identity> identity = {}; // once Telegram has told it
};

// The name of what all its sends count against, in queue/limits/limits.hpp.
inline std::string resource_of(bot_settings const& bot) {
    return "bot:" + bot.name;
}

// How Telegram is to call the bot's webhook.
inline webhook_settings webhook_of(bot_settings const& bot, std::string url, base::secret secret) {
    webhook_settings webhook{std::move(url), std::move(secret)};
    webhook.member_changes = asks_for_members(bot);
    return webhook;
}

// They live as long as the server; whoever is given the list may change the settings of a running
// bot.
using bot_list = std::vector<bot*>;

// Groups that became supergroups: what is sent to the old id goes to the new one, and the new one
// is allowed where the old one was. note() on the executor's one thread; follow() on any.
class chat_moves {
public:
    explicit chat_moves(bot_list bots) : bots_(std::move(bots)) {}

    void note(bot_id bot, chat_id old_chat, chat_id new_chat);
    chat_id follow(bot_id bot, chat_id chat) const;

private:
    bot_list bots_;
    mutable std::mutex mutex_; // of moved_: a commit asks on its thread whether a message answers
    std::map<std::pair<bot_id, chat_id>, chat_id> moved_;
};

} // namespace postrider::telegram
