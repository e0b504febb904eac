#include "server/bots/bots.hpp"

#include "base/log.hpp"
#include "server/start/start_failure.hpp"

#include <algorithm>
#include <set>

namespace postrider::server {

std::vector<queue::rate_limit> rates_of(config const& settings) {
    std::vector<queue::rate_limit> rates;
    for (auto const& bot : settings.bots) {
        double const rate = bot.sends_per_second;
        rates.push_back({"bot:" + bot.name, rate, rate}); // a second's worth at once
    }
    for (auto const& [name, limits] : settings.model_limits) {
        double const minute = limits.requests_per_minute;
        rates.push_back({limits.rate, minute / 60, minute / 10});
    }
    return rates;
}

bots::bots(
    bots_services services,
    std::vector<bot_config> const& configured,
    std::map<std::string, storage::bot_row, std::less<>> const& rows
)
    : services_(services),
      leases_(services.node, services.db),
      tasks_(services.executor) {
    for (auto const& config : configured)
        if (auto bot = make(config, rows.at(config.name)))
            bots_.push_back(std::move(bot));
        else
            left_out_.push_back(config.name);
    if (bots_.empty()) throw start_failure("cannot use any bot: the log says why");
}

// Null when it cannot be used.
std::unique_ptr<telegram::bot> bots::make(bot_config const& config, storage::bot_row const& row) {
    telegram::bot_api_options options{config.api_base, config.token, services_.calls};
    auto api = telegram::make_bot_api(services_.http, services_.clock, std::move(options));
    if (!api) {
        base::log::error("bot.unusable", {{"bot", config.name}, {"error", api.error()}});
        return nullptr;
    }
    auto bot = std::make_unique<telegram::bot>();
    bot->settings = config;
    bot->settings.id = row.id;
    bot->settings.self = row.telegram_id.value_or(user_id{});
    bot->settings.username = row.username;
    bot->webhook_secret =
        config.webhook_secret.empty() ? row.webhook_secret : config.webhook_secret;
    bot->api = std::move(*api);
    telegram::breaker_options breaker;
    auto const gate = telegram::resource_of(bot->settings);
    breaker.on_stopped = [this, gate](std::string const&) {
        services_.limits.stop_using(gate, "its token was refused");
    };
    breaker.on_running = [this, gate] { services_.limits.works(gate); };
    breaker.runs_elsewhere = [this, gate] { return services_.limits.open(gate); };
    bot->breaker = std::make_unique<telegram::bot_breaker>(
        services_.executor, row.id, *bot->api, services_.db, std::move(breaker)
    );
    return bot;
}

telegram::bot_list bots::list() const {
    telegram::bot_list all;
    for (auto const& bot : bots_) all.push_back(bot.get());
    return all;
}

std::map<std::string, bool> bots::stopped() const {
    std::map<std::string, bool> all;
    for (auto const& bot : bots_) all[bot->settings.name] = bot->breaker->stopped();
    for (auto const& name : left_out_) all[name] = true;
    return all;
}

bool bots::is_owner(bot_id bot, user_id user) const {
    return std::ranges::any_of(bots_, [bot, user](auto const& candidate) {
        return candidate->settings.id == bot && candidate->settings.allowlist.owners.contains(user);
    });
}

std::vector<agent::address> bots::chats_of_approvers(std::vector<user_id> const& chosen) const {
    std::set<user_id> included;
    std::vector<agent::address> chats;
    for (auto const& bot : bots_) {
        auto const& allowlist = bot->settings.allowlist;
        auto const may = [&](user_id user) {
            if (chosen.empty()) return allowlist.owners.contains(user);
            return std::ranges::find(chosen, user) != chosen.end();
        };
        for (auto const* people : {&allowlist.owners, &allowlist.users})
            for (auto const user : *people)
                if (may(user) && included.insert(user).second)
                    chats.push_back({bot->settings.id, chat_id{base::raw(user)}});
    }
    return chats;
}

std::string bots::timezone_of(bot_id bot) const {
    auto const configured = std::ranges::find_if(bots_, [bot](auto const& candidate) {
        return candidate->settings.id == bot;
    });
    return configured == bots_.end() ? std::string{} : (*configured)->settings.timezone;
}

void bots::start(
    telegram::intake& inbox,
    std::function<std::string(std::string const& name)> const& webhook_url,
    std::function<std::set<agent::group_event>(telegram::bot_settings const&)> const& watched_events
) {
    for (auto const& bot : bots_) {
        bot_service_options options;
        options.webhook_url = webhook_url(bot->settings.name);
        options.between_looks = services_.between_looks;
        bot->webhook_url = options.webhook_url;
        if (watched_events)
            bot->watched_events = [watched_events, &settings = bot->settings] {
                return watched_events(settings);
            };
        auto& service = services_of_bots_.emplace_back(std::make_unique<bot_service>(
            services_.executor,
            *bot,
            inbox,
            services_.db,
            leases_,
            services_.random,
            std::move(options)
        ));
        service->start();
    }
    tasks_.spawn("bots.watch", watch_gates());
}

// What another process found out of a token holds here too, if it is the same token: where another
// one's works and this one's does not, the breaker probes at its own pace.
base::awaitable<void> bots::watch_gates() {
    std::set<telegram::bot const*> probed; // since they run elsewhere
    for (;;) {
        co_await base::sleep_for(services_.between_looks);
        for (auto const& bot : bots_) {
            auto& breaker = *bot->breaker;
            if (breaker.stopped_here_only()) {
                if (probed.insert(bot.get()).second) breaker.look_again();
                continue;
            }
            probed.erase(bot.get());
            if (!services_.limits.open(telegram::resource_of(bot->settings)))
                breaker.trip("another process met a 401");
        }
    }
}

base::awaitable<void> bots::stop() {
    for (auto const& service : services_of_bots_) co_await service->stop();
}

base::awaitable<void> bots::close() {
    tasks_.cancel();
    co_await tasks_.join();
    for (auto const& bot : bots_) co_await bot->breaker->close();
}

} // namespace postrider::server
