#pragma once
// How a coroutine waits for a storage thread. The coroutine owns the waiter in its frame and gives
// the thread a shared slot; when the coroutine leaves (answered, deadline passed, cancelled), the
// slot is emptied and the thread's answer goes nowhere. Everything here runs on the executor's
// thread.
#include "base/async.hpp"

#include <memory>

namespace postrider::storage::pg {

class waiter {
public:
    // Shared with the thread that answers: call wake_up() by a post to the executor.
    struct slot {
        waiter* owner = nullptr;
        void wake_up() const {
            if (owner) owner->wake_up();
        }
    };

    waiter(base::asio::any_io_executor const& executor, std::shared_ptr<slot> shared)
        : timer_(executor),
          slot_(std::move(shared)) {
        slot_->owner = this;
    }
    ~waiter() { slot_->owner = nullptr; }
    waiter(waiter const&) = delete;
    waiter& operator=(waiter const&) = delete;

    // True when woken; false when the deadline passed first. Cancelled: throws operation_aborted.
    base::awaitable<bool> wait(base::duration deadline);

private:
    void wake_up() {
        woken_ = true;
        timer_.cancel();
    }

    base::asio::steady_timer timer_;
    std::shared_ptr<slot> slot_;
    bool woken_ = false;
};

} // namespace postrider::storage::pg
