#pragma once
// Lets the other coroutines of an executor run in between, for work that goes on for long without
// waiting for anything: is_over() between its pieces, and yield() where it says so. On the executor's
// one thread.
#include "base/async.hpp"

namespace postrider::base {

class time_slice {
public:
    // The clock outlives it.
    explicit time_slice(base::clock& clock, duration most = std::chrono::milliseconds{5})
        : clock_(clock),
          most_(most),
          since_(clock.steady()) {}

    // True when the work has gone on for `most` since the last yield.
    bool is_over() const { return clock_.steady() - since_ >= most_; }
    // Throws operation_aborted when the coroutine is cancelled.
    awaitable<void> yield();

private:
    base::clock& clock_;
    duration most_;
    steady_time since_;
};

} // namespace postrider::base
