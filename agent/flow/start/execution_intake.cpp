#include "agent/flow/start/execution_intake.hpp"

#include "agent/flow/lane_key.hpp"

namespace postrider::agent::flow {

using base::errc;

// A reserved slot; gives it back unless the job was started in it.
class execution_intake::reservation {
public:
    explicit reservation(execution_slots& slots) : slots_(slots), node_(slots.try_reserve()) {}
    ~reservation() {
        if (node_) slots_.release();
    }
    reservation(reservation const&) = delete;
    reservation& operator=(reservation const&) = delete;

    std::optional<node_id> node() const noexcept { return node_; }

    void start(queue::enqueued const& enqueued, queue::job job) {
        node_.reset();
        slots_.start(enqueued, std::move(job));
    }

private:
    execution_slots& slots_;
    std::optional<node_id> node_;
};

bool execution_intake::saturated() const {
    auto const counts = writes_.counts();
    return counts.waiting > limits_.most_waiting || counts.oldest > limits_.oldest_waiting;
}

base::awaitable<base::result<std::shared_ptr<execution_unit>>> execution_intake::begin(
    execution_start start, unit_maker make, base::steady_time until
) {
    if (saturated()) co_return base::error(errc::overloaded, "too much waits for its commit");
    reservation slot(slots_);
    start.job.lease_to = slot.node();
    auto const shared_start = std::make_shared<execution_start const>(std::move(start));
    auto const& lane = shared_start->lane;
    for (int trial = 1;; ++trial) {
        auto unit = make(shared_start, lanes_.find(lane.key, lane.manner));
        if (trial > 1) unit->take_stages();
        auto committed = co_await commit(unit, until);
        // On a timeout the batcher may still work with the unit: it is not looked at.
        bool const defect = !committed && committed.error() == errc::internal;
        bool const nothing_done =
            (defect && unit->lane_was_gone()) || (committed && unit->is_undecided());
        if (nothing_done && trial == 1) {
            lanes_.drop(lane.key);
            continue;
        }
        if (!committed) co_return committed.error();
        follow_up(slot, *shared_start, *unit);
        co_return unit;
    }
}

base::awaitable<base::result<std::shared_ptr<execution_unit>>> execution_intake::begin(
    execution_start start, base::steady_time until
) {
    auto make = [](std::shared_ptr<execution_start const> shared, std::optional<lane_id> known_lane
                ) { return std::make_shared<ungated_unit>(std::move(shared), known_lane); };
    return begin(std::move(start), make, until);
}

base::awaitable<base::result<void>> execution_intake::commit(
    std::shared_ptr<storage::unit> unit, base::steady_time until
) {
    auto const left = std::max<base::duration>(until - clock_.steady(), base::duration{1});
    return writes_.commit(std::move(unit), left);
}

void execution_intake::follow_up(
    reservation& slot, execution_start const& start, execution_unit const& committed
) {
    auto const lane = committed.ensured_lane();
    if (lane && !is_own_lane(start.lane.key)) lanes_.put(start.lane.key, *lane, start.lane.manner);
    auto const& job = committed.job();
    if (!job) return;
    if (job->leased)
        slot.start(*job, queue::leased_job(committed.enqueued_job(), *job));
    else if (queue::needs_claim(*job))
        slots_.job_waits();
    if (job->interrupts || committed.ended_turn()) slots_.turn_interrupted();
    if (committed.ended_turn()) slots_.job_waits(); // behind the turn that is over now
}

} // namespace postrider::agent::flow
