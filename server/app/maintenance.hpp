#pragma once
// Retention: what the product keeps for a while goes when its time is over, a little at a time.
//
// Several nodes may do all of it at the same time: they do not get in each other's way.
#include "base/async.hpp"
#include "server/start/config.hpp"
#include "storage/database.hpp"

namespace postrider::server {

struct retention {
    base::duration inbox;       // updates, against redelivery
    base::duration rejected;    // updates that could not be used, with their bytes
    base::duration jobs;        // jobs that are over, with their steps and effects
    base::duration messages{0}; // what was said, in chats and in sessions; zero = for ever
};

retention retention_of(config const& settings);

// Prunes every ten minutes, for ever.
base::awaitable<void> keep_tidy(storage::database& db, retention keep);
// Once. A step that fails is logged, and the others are done all the same. The position is as prune_lanes() has it.
base::awaitable<void> tidy_once(storage::database& db, retention keep, std::int64_t& lane_position);

// Until nothing is due, in statements of a bounded size. Returns how many rows, or partitions, are
// gone.
base::awaitable<base::result<std::int64_t>> prune_inbox(storage::database& db, retention keep);
// Lanes of which nothing is kept, with their API conversations: of the next 200,000 behind the position,
// which is 0 for the first, and 0 again once all were looked at.
base::awaitable<base::result<std::int64_t>> prune_lanes(
    storage::database& db, retention keep, std::int64_t& position
);
// Partitions whose jobs are all old are dropped; what must stay is moved
// (sql/functions/retention.sql).
base::awaitable<base::result<std::int64_t>> prune_jobs(storage::database& db, retention keep);

} // namespace postrider::server
