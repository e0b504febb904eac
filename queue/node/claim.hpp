#pragma once
// Claiming: which ready lanes this node takes next.
#include "queue/job.hpp"
#include "storage/batcher.hpp"

#include <optional>
#include <vector>

namespace postrider::queue {

struct claimed_lane {
    queue::lease lease;
    job_id head{};                 // no live job of the lane has a smaller id
    std::optional<queue::job> job; // absent: its commit was not visible yet; advance from head - 1
    std::optional<control_request> asked; // of the node that runs the lane
    int suspect = 0; // in how many deaths of a process in a row the job was in flight
};

struct claim_request {
    node_id node{};
    int slots = 0;
    int margin = 0; // so many lanes more are looked at, when the last claim passed over some
    // Of the lanes whose job was in flight when its process died, one may be taken. One whose job
    // has died alone is taken only by a node that has lived for `min_node_age`, or six times that
    // from the second time on: a node that dies often anyway proves nothing.
    bool with_suspect = false;
    std::chrono::milliseconds min_node_age{0};
    // A lane that this node gave back, because it cannot run its job, is for others alone so long
    // after it has become ready.
    std::chrono::milliseconds others_first{0};
    // Only lanes that became ready then or later are looked at, in microseconds since 1970; nothing:
    // all. See claim_result::first.
    std::optional<std::chrono::microseconds> since = {};
};

struct claim_result {
    std::vector<claimed_lane> lanes;
    int passed_over = 0; // ready lanes whose job another session has locked
    std::optional<std::chrono::milliseconds> next_in; // until the next free lane becomes ready
    // Where the next look may begin: before that were only lanes that others had locked, or that were
    // not for this node. An old snapshot keeps the index entries of all that was claimed before.
    std::chrono::microseconds first{0};
    std::chrono::microseconds took{0}; // the look, in the database
};

// Leases up to `slots` ready lanes in order of priority and readiness, and marks the oldest live
// job of each as running. One transaction; lanes and jobs that another session has locked are
// passed over.
base::awaitable<base::result<claim_result>> claim_lanes(
    storage::batcher& quick, claim_request request, base::duration deadline
);

} // namespace postrider::queue
