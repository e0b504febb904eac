#pragma once
// One configured bot at run time: what intake, webhook, polling and messenger share of it.
#include "server/telegram/bot_api.hpp"
#include "server/telegram/breaker.hpp"
#include "server/telegram/disposition.hpp"
#include "server/telegram/draft_state.hpp"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
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
    draft_state drafts = {};
    // What flows ask for by now; empty: nothing beside what the allowlist does.
    std::function<std::set<agent::group_event>()> watched_events = {};
};

// The name of what all its sends count against, in queue/limits/limits.hpp.
inline std::string resource_of(bot_settings const& bot) {
    return "bot:" + bot.name;
}

// Flows ask for what happens in the bot's groups.
inline bool watches_groups(bot const& bot) {
    return bot.watched_events && !bot.watched_events().empty() &&
           !bot.settings.allowlist.chats.empty();
}

// What the bot's groups and flows ask for beyond messages.
inline update_kinds kinds_for(bot const& bot) {
    auto const watched = bot.watched_events ? bot.watched_events() : std::set<agent::group_event>{};
    return {
        .member_changes = asks_for_members(bot.settings),
        .reactions = bot.settings.reactions || watched.contains(agent::group_event::reaction),
        .join_requests = watched.contains(agent::group_event::join_request),
        .business = !bot.settings.business.empty(),
        .stops = bot.settings.drafts};
}

// The same where the flows are not known.
inline update_kinds kinds_for_any_flow(bot_settings const& bot) {
    bool const has_groups = asks_for_members(bot);
    return {has_groups, has_groups || bot.reactions, has_groups, !bot.business.empty(), bot.drafts};
}

// How Telegram is to call the bot's webhook.
inline webhook_settings webhook_of(bot const& bot) {
    return {.url = bot.webhook_url, .secret = bot.webhook_secret, .more = kinds_for(bot)};
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
    // The id that the group had before, as far as this process knows.
    std::optional<chat_id> former(bot_id bot, chat_id chat) const;

private:
    bot_list bots_;
    mutable std::mutex mutex_; // of moved_: a commit asks on its thread whether a message answers
    std::map<std::pair<bot_id, chat_id>, chat_id> moved_;
};

} // namespace postrider::telegram
