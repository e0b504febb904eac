#pragma once
// Where executions begin that come from outside, whichever way they come: Telegram, a webhook,
// the chat API. They share the commits of one batcher. Where this node has a free slot, the commit
// leases the job's lane to it and the job starts at once. On the executor's one thread.
#include "agent/flow/start/execution_slots.hpp"
#include "agent/flow/start/execution_unit.hpp"
#include "base/async.hpp"
#include "base/clock.hpp"
#include "storage/stores/lane_cache.hpp"

#include <functional>

namespace postrider::agent::flow {

struct intake_limits {
    std::size_t most_waiting = 2000; // units that wait for their commit
    base::duration oldest_waiting = std::chrono::seconds{1};
    std::size_t lanes_known = 100'000;
};

class execution_intake {
public:
    // A unit of the caller's own for the start; by default the execution_unit itself.
    using unit_maker = std::function<std::shared_ptr<execution_unit>(
        std::shared_ptr<execution_start const>, std::optional<lane_id> known_lane
    )>;

    // The writer, the slots and the clock outlive it.
    execution_intake(
        storage::batcher& writes,
        execution_slots& slots,
        base::clock& clock,
        intake_limits limits = {}
    )
        : writes_(writes),
          slots_(slots),
          clock_(clock),
          limits_(limits),
          lanes_(limits.lanes_known) {}

    // Too much waits for its commit: nothing more should be brought until it is less.
    bool saturated() const;

    // Returns after the commit, which the unit describes. Its job, if it has one, has begun or a
    // node was told of it. overloaded: nothing was tried. Other failures as of batcher::commit.
    base::awaitable<base::result<std::shared_ptr<execution_unit>>> begin(
        execution_start start, unit_maker make, base::steady_time until
    );
    base::awaitable<base::result<std::shared_ptr<execution_unit>>> begin(
        execution_start start, base::steady_time until
    );

    // Commits another unit together with the executions.
    base::awaitable<base::result<void>> commit(
        std::shared_ptr<storage::unit> unit, base::steady_time until
    );

private:
    class reservation;

    void follow_up(
        reservation& slot, execution_start const& start, execution_unit const& committed
    );

    storage::batcher& writes_;
    execution_slots& slots_;
    base::clock& clock_;
    intake_limits limits_;
    storage::lane_cache lanes_;
};

} // namespace postrider::agent::flow
