#pragma once
// What nodes tell each other through Postgres' NOTIFY: "look at once". Only a hint: polling finds
// everything without it, so nothing here is retried, ordered or confirmed.
//
// A direct connection of its own, with a thread: NOTIFY takes a lock of the whole cluster at commit
// and has no place in the transactions of the queue. Calls within a few milliseconds become one
// NOTIFY per payload. The connection is made again when it breaks, with growing pauses; a
// server where LISTEN has no effect (behind a transaction-pooling proxy) makes this useless but
// harmless.
#include "storage/database.hpp"

#include <functional>
#include <memory>
#include <string>

namespace postrider::storage {

struct notices_options {
    std::string channel = "postrider";
    base::duration send_interval = std::chrono::milliseconds{5}; // between two sendings
    base::duration first_retry = std::chrono::milliseconds{100};
    base::duration last_retry = std::chrono::seconds{30};
};

struct notices_counts {
    bool listening = false;
    std::uint64_t requested = 0; // calls of send()
    std::uint64_t sent = 0;      // NOTIFY commands, each for all the calls since the one before
    std::uint64_t received = 0;  // from others
};

class notices {
public:
    virtual ~notices() = default;

    // Tells the others. Never blocks; forgotten while there is no connection.
    virtual void send(std::string payload) = 0;
    virtual notices_counts counts() const = 0;
    // Nothing is reported after it returned. On the executor's thread.
    virtual void close() = 0;
};

// on_notice gets the payloads of others, on the executor's thread; and on_reconnect is called when
// LISTEN is in effect again, because what came meanwhile is lost.
std::unique_ptr<notices> listen(
    boost::asio::any_io_executor executor,
    database_options database,
    notices_options options,
    std::function<void(std::string_view payload)> on_notice,
    std::function<void()> on_reconnect
);

} // namespace postrider::storage
