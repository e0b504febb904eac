#pragma once
// The right to poll a bot, which one process has at a time. On the executor's one thread.
//
// In Postgres a lease is a node's, and good for as long as that node beats. So it is renewed by what
// is sent anyway; it falls to another process within ten seconds of the holder's death; and a
// process that is frozen, or cut off from Postgres, ceases to be the holder as it ceases to act on
// its lanes. Each learns of the other with a heartbeat, so two may believe to have it for that long.
// No harm is done: Telegram refuses one of two polls, and the inbox knows an update that comes twice.
#include "base/async.hpp"
#include "base/error.hpp"
#include "queue/node/engine.hpp"
#include "storage/database.hpp"

#include <map>
#include <memory>
#include <set>

namespace postrider::telegram {

class poll_lease {
public:
    virtual ~poll_lease() = default;
    // Takes it where no other process has it. False: another one does. unavailable: this process
    // does not reach the database.
    virtual base::awaitable<base::result<bool>> take() = 0;
    // Whether this process has it and may act on it, at this moment.
    virtual bool held() const = 0;
    // For the other processes. False: the database does not take it back, so none of them has it.
    virtual base::awaitable<bool> release() = 0;
};

// The leases of all bots: which ones this process took, and, as read with the node's last heartbeat,
// which ones count for others.
class poll_leases {
public:
    // Before the node starts; both outlive this, and this outlives the node's loops.
    poll_leases(queue::engine& node, storage::database& db);
    poll_leases(poll_leases const&) = delete;

    // The lease must not outlive this.
    std::unique_ptr<poll_lease> of(bot_id bot);

private:
    class stored_lease;

    queue::engine& node_;
    storage::database& db_;
    std::map<bot_id, int> taken_; // and how many reads in a row had no row of it
    std::set<bot_id> elsewhere_;
};

} // namespace postrider::telegram
