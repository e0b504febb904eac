#pragma once
// Retention: what the product keeps for a while goes when its time is over, a little at a time.
#include "base/async.hpp"
#include "storage/database.hpp"

namespace postrider::server {

struct retention {
    base::duration inbox;    // updates, against redelivery
    base::duration rejected; // updates that could not be used, with their bytes
};

// Prunes every ten minutes, for ever. Nodes that do it at the same time do not get in each other's
// way.
base::awaitable<void> keep_tidy(storage::database& db, retention keep);

// One round: deletes until nothing is due, in statements of a bounded size. Returns how many rows.
base::awaitable<base::result<std::int64_t>> prune_inbox(storage::database& db, retention keep);

} // namespace postrider::server
