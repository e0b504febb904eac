#pragma once
// Wakes the one coroutine that waits with it. A wake while none waits ends the next wait at once, so
// no wake is lost. On the executor's one thread.
#include "base/async.hpp"

namespace postrider::base {

class waker {
public:
    // NOLINTNEXTLINE(performance-unnecessary-value-param): as signal
    explicit waker(asio::any_io_executor executor) : timer_(executor) {}

    void wake() {
        is_woken_ = true;
        timer_.cancel();
    }
    // Returns when it is woken, or after the limit. Throws operation_aborted when the coroutine is
    // cancelled.
    awaitable<void> wait_for(duration limit);

private:
    asio::steady_timer timer_;
    bool is_woken_ = false;
};

} // namespace postrider::base
