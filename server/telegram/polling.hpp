#pragma once
// getUpdates: the intake for machines without a public address. A bot is polled by one process at a
// time, the one that has its lease; the others take over when it is given back or lost. A process
// whose token was refused gives it back: another one's may work. What a poll brings to a process that
// has lost the lease meanwhile is left to the next one. On the executor's one thread.
//
// Updates are confirmed to Telegram by the offset of the next poll, so only after their commit. The
// updates of one chat are accepted one after the other; a chat whose update cannot be stored waits,
// and the others go on, as far as Telegram tells: it gives the first hundred that are not confirmed.
#include "base/async.hpp"
#include "base/random.hpp"
#include "server/telegram/bot.hpp"
#include "server/telegram/intake.hpp"
#include "server/telegram/poll_lease.hpp"

#include <memory>

namespace postrider::telegram {

struct polling_options {
    std::chrono::seconds wait{25};                        // of one poll
    base::duration first_delay = std::chrono::seconds{1}; // after a failure; doubled
    base::duration longest_delay = std::chrono::minutes{1};
    base::duration lease_retry = std::chrono::milliseconds{500}; // while another process polls
};

class poller {
public:
    virtual ~poller() = default;
    // Takes the lease, removes the bot's webhook, then polls until stop().
    virtual void start() = 0;
    // Drops the poll in flight, what was not committed comes again; releases the lease.
    virtual base::awaitable<void> stop() = 0;
};

// Everything given must outlive it.
std::unique_ptr<poller> make_poller(
    base::asio::any_io_executor executor,
    bot& polled_bot,
    intake& inbox,
    poll_lease& lease,
    base::random_source& random,
    polling_options options = {}
);

} // namespace postrider::telegram
