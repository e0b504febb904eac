#pragma once
// Enqueueing inside somebody else's transaction: the job becomes true together with its cause.
// Batches do it by enqueue_turn.hpp.
//
// Jobs of one lane get ascending ids, drawn while the lane's row is locked: id order is commit order
// within a lane.
#include "base/ids.hpp"
#include "base/json/row.hpp"
#include "queue/job.hpp"
#include "storage/batcher.hpp"

#include <boost/json/value.hpp>

#include <optional>
#include <string>

namespace postrider::queue {

struct new_job {
    lane_id lane{};
    std::string kind;
    boost::json::value input;
    // Insert-as-claimed: a node that has reserved a slot asks for the lane's lease in the same
    // commit.
    std::optional<node_id> lease_to;
    std::optional<std::chrono::milliseconds> deadline = {}; // for the whole job, from now on
    int priority = 2;                                       // 0 urgent … 3 low
    int version = 1;                                        // of the job kind's code
};

struct enqueued {
    job_id id{};
    lane_id lane{};
    conversation_id conversation{};
    std::int64_t arrival = 0;
    lane_epoch epoch{};
    bool leased = false; // true: the asking node must run it now
    bool interrupts =
        false; // a running turn was asked to make way: tell its node (engine::beat_now)
    queue::mailbox mailbox = queue::mailbox::queue;
    bool wakes_parked = false; // the lane's parked job can go on, so the lane is ready
};

// True when no node has the lane and the job makes it ready, as its first or since it wakes a
// parked one: idle nodes should look for it.
inline bool needs_claim(enqueued const& enqueued) noexcept {
    return !enqueued.leased && (enqueued.arrival == 1 || enqueued.wakes_parked);
}

// Throws storage::database_error when the lane does not exist, or is closed (not_found).
enqueued enqueue(storage::transaction& tx, new_job const& job);
enqueued read_enqueued(storage::row const& returned);
// The members of a statement's row that tell of the job.
base::json_row row_of(new_job const& job, lane_id lane);

// What a worker needs to start a job that enqueue() leased to this node.
queue::job leased_job(new_job const& job, enqueued const& enqueued);

} // namespace postrider::queue
