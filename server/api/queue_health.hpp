#pragma once
// The view queue_health as gauges: read every few seconds by a task of its own, never by a scrape,
// which then only tells what is known. On the loop's thread.
#include "base/async.hpp"
#include "storage/database.hpp"

#include <map>
#include <optional>
#include <string>

namespace postrider::api {

struct queue_health {
    std::int64_t nodes = 0;
    std::int64_t lanes_running = 0;
    std::int64_t lanes_ready = 0;
    std::int64_t lanes_parked = 0;
    double oldest_ready = 0;       // seconds
    double oldest_transaction = 0; // seconds
    std::int64_t dead_tuples = 0;
    std::int64_t partitions_ahead = 0;
    std::int64_t events = 0;
    std::int64_t paused = 0;
    std::int64_t approvals = 0;                     // that wait for a person
    std::map<std::string, std::int64_t> jobs_about; // by state
};

base::awaitable<base::result<queue_health>> read_queue_health(storage::database& db);

// Keeps `latest` fresh, for ever; empty while the database does not tell.
base::awaitable<void> watch_queue(storage::database& db, std::optional<queue_health>& latest);

} // namespace postrider::api
