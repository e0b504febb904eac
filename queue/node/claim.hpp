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
    std::optional<control_request> asked; // of whoever runs the lane
};

struct claim_result {
    std::vector<claimed_lane> lanes;
    std::optional<std::chrono::milliseconds> next_in; // until the next free lane becomes ready
};

// Leases up to `count` ready lanes in order of priority and readiness, and marks the oldest live
// job of each as running. One statement; lanes locked by others are skipped.
base::awaitable<base::result<claim_result>> claim_lanes(
    storage::batcher& quick, node_id node, int count, base::duration deadline
);

} // namespace postrider::queue
