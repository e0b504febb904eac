#pragma once
// What a run of a job needs of its node. All of it outlives the run.
#include "base/clock.hpp"
#include "base/ids.hpp"
#include "base/random.hpp"
#include "storage/batcher.hpp"

#include <chrono>
#include <functional>

namespace postrider::queue {

class limiter;
struct engine_measures;

// Shorter delays keep the coroutine, longer ones park the job and free the slot.
inline constexpr auto shortest_park_delay = std::chrono::milliseconds{2000};

struct run_services {
    storage::batcher& checkpoints;
    base::clock& clock;
    base::random_source& random;
    node_id node{};
    // False once the node must assume that others have taken its lanes.
    std::function<bool()> may_act;
    limiter* limits = nullptr;           // none: every gate is open
    engine_measures* measures = nullptr; // none: nobody counts
};

} // namespace postrider::queue
