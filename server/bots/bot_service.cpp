#include "server/bots/bot_service.hpp"

#include "base/log.hpp"
#include "server/bots/bot_commands.hpp"
#include "server/views/group_checks.hpp"

namespace postrider::server {

namespace {

using namespace std::chrono_literals;
using base::errc;

constexpr auto store_deadline = 10s;

} // namespace

bot_service::bot_service(
    base::asio::any_io_executor const& executor,
    telegram::bot& bot,
    telegram::intake& inbox,
    storage::database& db,
    telegram::poll_leases& leases,
    base::random_source& random,
    bot_service_options options
)
    : executor_(executor),
      bot_(bot),
      inbox_(inbox),
      db_(db),
      leases_(leases),
      random_(random),
      options_(std::move(options)),
      tasks_(executor) {}

void bot_service::start() {
    tasks_.spawn("bot " + bot_.settings.name, live());
}

base::awaitable<void> bot_service::stop() {
    tasks_.cancel();
    co_await tasks_.join();
    if (poller_) co_await poller_->stop();
}

base::awaitable<void> bot_service::live() {
    for (auto delay = options_.first_delay; !co_await introduce();) {
        co_await base::sleep_for(delay);
        delay = std::min(delay * 2, options_.longest_delay);
    }
    if (options_.webhook_url.empty()) {
        lease_ = leases_.of(bot_.settings.id);
        poller_ = telegram::make_poller(executor_, bot_, inbox_, *lease_, random_);
        poller_->start();
        co_await offer_commands(bot_, db_);
        co_return co_await tell_of_groups();
    }
    co_await set_webhook_at_last();
    co_await offer_commands(bot_, db_);
    co_await tell_of_groups();
    co_await follow_flows();
}

base::awaitable<void> bot_service::set_webhook_at_last() {
    for (auto delay = options_.first_delay; !co_await set_webhook();) {
        co_await base::sleep_for(delay);
        delay = std::min(delay * 2, options_.longest_delay);
    }
}

// What hides messages of groups from flows, or keeps them from acting there.
base::awaitable<void> bot_service::tell_of_groups() {
    if (!telegram::watches_groups(bot_)) co_return;
    auto const looked_at = co_await look_at_groups(*bot_.api, bot_.settings, *bot_.identity, true);
    for (auto const& found_out : looked_at)
        if (found_out.verdict != verdict::ok)
            base::log::warn(
                "bot.groups_limited",
                {{"bot", bot_.settings.name},
                 {"subject", found_out.subject},
                 {"advice", found_out.detail}}
            );
}

// A flow that is published may ask for kinds of updates that Telegram tells nobody unasked. Each poll asks for
// them by itself.
base::awaitable<void> bot_service::follow_flows() {
    for (;;) {
        co_await base::sleep_for(options_.between_looks);
        if (telegram::kinds_for(bot_) != asked_) co_await set_webhook_at_last();
    }
}

// True once Telegram has said who the bot is. A wrong token stops the bot, not the server.
base::awaitable<bool> bot_service::introduce() {
    auto const& name = bot_.settings.name;
    auto me = co_await bot_.api->get_me();
    if (!me && (me.error().cause == errc::unauthorized || me.error().cause == errc::not_found)) {
        base::log::error(
            "bot.token_refused",
            {{"bot", name},
             {"advice", "Telegram does not know this token: check bots." + name + ".bot_token"}}
        );
        bot_.breaker->trip("getMe: the token is wrong");
        co_await bot_.breaker->until_running();
        co_return false;
    }
    if (!me) {
        base::log::warn("bot.unreachable", {{"bot", name}, {"error", me.error().cause}});
        co_return false;
    }
    bot_.identity = *me;
    bot_.settings.self = me->id;
    bot_.settings.username = me->username;
    auto stored = co_await storage::store_identity(
        db_, bot_.settings.id, me->id, me->username, store_deadline
    );
    if (!stored) {
        base::log::warn("bot.not_stored", {{"bot", name}, {"error", stored.error()}});
        co_return false;
    }
    bot_.breaker->found_working();
    base::log::info("bot.identified", {{"bot", name}, {"id", me->id}, {"username", me->username}});
    co_return true;
}

base::awaitable<bool> bot_service::set_webhook() {
    auto const& name = bot_.settings.name;
    co_await bot_.breaker->until_running();
    auto webhook = telegram::webhook_of(bot_);
    auto const kinds = webhook.more;
    auto set = co_await bot_.api->set_webhook(std::move(webhook));
    if (!set) {
        if (set.error().cause == errc::unauthorized) bot_.breaker->trip("setWebhook: 401");
        base::log::warn("bot.webhook_failed", {{"bot", name}, {"error", set.error().cause}});
        co_return false;
    }
    asked_ = kinds;
    base::log::info("bot.webhook_set", {{"bot", name}, {"url", options_.webhook_url}});
    co_return true;
}

} // namespace postrider::server
