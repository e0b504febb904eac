// The bots as they run.
#include "server/bots/bots.hpp"
#include "server/bots/webhook_states.hpp"

namespace postrider::server {

namespace {

constexpr base::duration patience_with_telegram = std::chrono::seconds{3};

base::awaitable<base::result<telegram::webhook_info>> ask_for_webhook(telegram::bot const& bot) {
    auto info = co_await bot.api->get_webhook_info();
    if (!info) co_return info.error().cause;
    co_return std::move(*info);
}

base::awaitable<void> look_at_bot_state(
    telegram::bot const& bot,
    base::clock const& clock,
    std::optional<webhook_state>& known,
    bot_state& state
) {
    auto const& allowed = bot.settings.allowlist;
    state.name = bot.settings.name;
    state.agent = bot.settings.agent;
    state.polls = bot.webhook_url.empty();
    state.owners = allowed.owners.size();
    state.allowed_users = allowed.users.size();
    state.allowed_chats = allowed.chats.size();
    if (bot.identity) state.reads_all_group_messages = bot.identity->reads_all_group_messages;
    if (state.polls || bot.breaker->stopped()) co_return;
    auto const info = co_await base::with_timeout(ask_for_webhook(bot), patience_with_telegram);
    if (info) known = webhook_state_of(*info, clock.now());
    state.webhook = known;
}

} // namespace

webhook_state webhook_state_of(telegram::webhook_info const& info, base::sys_time now) {
    webhook_state state{.url = info.url, .pending = info.pending, .last_error = info.last_error};
    state.as_of = base::to_iso8601(now);
    if (info.last_error_at) state.last_error_at = base::to_iso8601(*info.last_error_at);
    return state;
}

base::awaitable<std::vector<bot_state>> bots::states() {
    std::vector<bot_state> states(bots_.size());
    std::vector<base::awaitable<void>> looks;
    for (std::size_t at = 0; at < bots_.size(); ++at) {
        auto& known = webhooks_[bots_[at]->settings.name];
        looks.push_back(look_at_bot_state(*bots_[at], services_.clock, known, states[at]));
    }
    co_await base::run_together("bots.look", std::move(looks));
    co_return states;
}

} // namespace postrider::server
