#pragma once
// Brings a bot to life in the background and keeps at it while Telegram is away: who it is (getMe),
// and how its updates come: by webhook, set here, or by polling. Then its commands are listed
// (bot_commands.hpp). On the executor's one thread.
#include "server/telegram/bot.hpp"
#include "server/telegram/intake.hpp"
#include "server/telegram/polling.hpp"
#include "storage/database.hpp"
#include "storage/stores/bots.hpp"

#include <memory>
#include <string>

namespace postrider::server {

struct bot_service_options {
    std::string webhook_url;                              // empty = polling
    base::duration first_delay = std::chrono::seconds{1}; // between tries, doubled
    base::duration longest_delay = std::chrono::minutes{1};
    base::duration between_looks = std::chrono::seconds{1}; // at what flows ask Telegram for
};

class bot_service {
public:
    // Everything given must outlive it. Destroyed after stop().
    bot_service(
        base::asio::any_io_executor const& executor,
        telegram::bot& bot,
        telegram::intake& inbox,
        storage::database& db,
        telegram::poll_leases& leases,
        base::random_source& random,
        bot_service_options options
    );

    void start();
    base::awaitable<void> stop();

private:
    base::awaitable<void> live();
    base::awaitable<bool> introduce();
    base::awaitable<bool> set_webhook();
    base::awaitable<void> set_webhook_at_last();
    base::awaitable<void> follow_flows();
    base::awaitable<void> tell_of_groups();

    base::asio::any_io_executor executor_;
    telegram::bot& bot_;
    telegram::update_kinds asked_; // with the webhook
    telegram::intake& inbox_;
    storage::database& db_;
    telegram::poll_leases& leases_;
    base::random_source& random_;
    bot_service_options options_;
    std::unique_ptr<telegram::poll_lease> lease_;
    std::unique_ptr<telegram::poller> poller_;
    base::task_group tasks_;
};

} // namespace postrider::server
