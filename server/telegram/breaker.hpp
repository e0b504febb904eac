#pragma once
// A refused token stops a bot instead of a storm of calls: after a 401 nothing is called for it but
// one getMe every minute, then less often, until that works. On the executor's one thread.
#include "base/async.hpp"
#include "server/telegram/bot_api.hpp"
#include "storage/database.hpp"

#include <functional>
#include <string>

namespace postrider::telegram {

struct breaker_options {
    base::duration first_probe = std::chrono::minutes{1};
    base::duration longest_probe = std::chrono::minutes{10}; // doubled up to this
    // For whoever else must know.
    std::function<void(std::string const& reason)> on_stopped = {};
    std::function<void()> on_running = {};
    // Whether the bot may be used as far as all processes know.
    std::function<bool()> runs_elsewhere = {};
};

// Everything given must outlive it. Destroyed after close().
class bot_breaker {
public:
    bot_breaker(
        base::asio::any_io_executor executor,
        bot_id bot,
        bot_api& api,
        storage::database& db,
        breaker_options options = {}
    );

    bool stopped() const noexcept { return stopped_; }
    // Stopped in this process, while another one has a token that works.
    bool stopped_here_only() const;

    // Stops the bot and begins to probe; on a stopped bot nothing happens.
    void trip(std::string reason);

    // Telegram has just accepted the token.
    void found_working();
    // It may have begun to work: probes now. On a running bot nothing happens.
    void look_again();

    // Returns at once when the bot is not stopped.
    base::awaitable<void> until_running();

    base::awaitable<void> close();

private:
    base::awaitable<void> probe(std::string reason);

    bot_id bot_;
    bot_api& api_;
    storage::database& db_;
    breaker_options options_;
    bool stopped_ = false;
    base::signal running_;
    base::signal look_;
    base::task_group tasks_;
};

} // namespace postrider::telegram
