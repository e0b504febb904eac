#include "server/bots/telegram_setup.hpp"

#include "agent/talk/refusal_words.hpp"
#include "server/bots/webhook_states.hpp"
#include "server/views/bot_findings.hpp"
#include "server/views/group_checks.hpp"

#include <algorithm>

namespace postrider::server {

namespace {

class telegram_setup final : public bot_setup {
public:
    telegram_setup(telegram::bot_list bots, base::clock const& clock)
        : bots_(std::move(bots)),
          clock_(clock) {}

    bool knows(std::string const& bot) const override { return find(bot) != nullptr; }

    base::awaitable<bot_check> check(std::string name) override {
        auto& bot = *find(name);
        bot_check result{.wanted_url = bot.webhook_url};
        auto const identity = co_await bot.api->get_me();
        result.findings.push_back(token_finding("token " + name, identity));
        if (!identity) co_return result;
        bot.identity = *identity;
        auto const info = co_await bot.api->get_webhook_info();
        if (info) {
            result.webhook = webhook_state_of(*info, clock_.now());
            result.findings.push_back(webhook_finding(name, *info, bot.webhook_url, clock_.now()));
        } else {
            auto reason = agent::refusal_in_words(info.error().cause);
            result.findings.push_back({"webhook " + name, verdict::fail, std::move(reason)});
        }
        append(
            result.findings,
            co_await look_at_groups(
                *bot.api, bot.settings, *identity, telegram::watches_groups(bot)
            )
        );
        co_return result;
    }

    base::awaitable<base::result<std::string>> set_webhook(std::string name) override {
        auto& bot = *find(name);
        if (bot.webhook_url.empty())
            co_return base::error(
                base::errc::invalid,
                "the server polls for updates, since it has no public URL: set server.public_url "
                "(POSTRIDER_PUBLIC_URL) and start it again"
            );
        auto const done = co_await bot.api->set_webhook(telegram::webhook_of(bot));
        if (!done) co_return done.error().cause;
        co_return bot.webhook_url;
    }

    base::awaitable<base::result<void>> delete_webhook(std::string name) override {
        auto const done = co_await find(name)->api->delete_webhook();
        if (!done) co_return done.error().cause;
        co_return base::result<void>{};
    }

private:
    telegram::bot* find(std::string const& name) const {
        auto const found = std::ranges::find_if(bots_, [&](auto const* bot) {
            return bot->settings.name == name;
        });
        return found == bots_.end() ? nullptr : *found;
    }

    telegram::bot_list bots_;
    base::clock const& clock_;
};

} // namespace

std::unique_ptr<bot_setup> make_bot_setup(telegram::bot_list bots, base::clock const& clock) {
    return std::make_unique<telegram_setup>(std::move(bots), clock);
}

} // namespace postrider::server
