#pragma once
// getUpdates: the intake for machines without a public address. One poller per bot; a second one,
// or a webhook, makes Telegram answer 409. On the executor's one thread.
//
// Updates are confirmed to Telegram by the offset of the next poll, so only after their commit. The
// chats of one answer are accepted at the same time, the updates of one chat one after the other.
#include "base/async.hpp"
#include "base/random.hpp"
#include "server/telegram/bot.hpp"
#include "server/telegram/intake.hpp"

#include <memory>

namespace postrider::telegram {

struct polling_options {
    std::chrono::seconds wait{50};                        // of one poll
    base::duration first_delay = std::chrono::seconds{1}; // after a failure; doubled
    base::duration longest_delay = std::chrono::minutes{1};
};

class poller {
public:
    virtual ~poller() = default;
    // Removes the bot's webhook, then polls until stop().
    virtual void start() = 0;
    // Drops the poll in flight: what was not committed comes again.
    virtual base::awaitable<void> stop() = 0;
};

// Everything given must outlive it.
std::unique_ptr<poller> make_poller(
    base::asio::any_io_executor executor,
    bot& of,
    intake& inbox,
    base::random_source& random,
    polling_options options = {}
);

} // namespace postrider::telegram
