#pragma once
// One use of a model's breaker. Guarantees that a use that was begun is reported, or given up when it
// ends without an answer: its step was cancelled, parked, or had no budget. The limiter outlives it.
#include "base/error.hpp"
#include "queue/limits/limits.hpp"

#include <string>

namespace postrider::agent::flow {

class gate_hold {
public:
    // Nothing to do without a limiter or a gate.
    gate_hold(queue::limiter* limits, std::string gate, job_id job)
        : limits_(gate.empty() ? nullptr : limits),
          gate_(std::move(gate)),
          job_(job) {}
    ~gate_hold() {
        if (begun_) limits_->give_up(gate_, job_);
    }
    gate_hold(gate_hold const&) = delete;
    gate_hold& operator=(gate_hold const&) = delete;

    void begin() noexcept { begun_ = limits_ != nullptr; }
    void accepted() const {
        if (begun_) limits_->accepted(gate_, job_);
    }
    void report(base::result<void> const& outcome) {
        if (begun_) limits_->report(gate_, outcome);
        begun_ = false;
    }

private:
    queue::limiter* limits_;
    std::string gate_;
    job_id job_;
    bool begun_ = false;
};

} // namespace postrider::agent::flow
