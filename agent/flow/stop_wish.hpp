#pragma once
// A person's wish, while an answer is written, that it ends with what has been said. It holds for the whole run: a
// model that is asked after it says nothing more. On the executor's one thread.
#include "base/async.hpp"

#include <utility>

namespace postrider::agent::flow {

class stop_wish {
public:
    explicit stop_wish(base::asio::any_io_executor executor) : made_(std::move(executor)) {}

    void make() {
        is_made_ = true;
        made_.notify();
    }
    bool is_made() const noexcept { return is_made_; }
    // Runs the work until it ends, or the wish is made, which cancels it.
    base::awaitable<void> cut_off(base::awaitable<void> work) {
        (void)co_await made_.ends_before_notify(std::move(work));
    }

private:
    base::signal made_;
    bool is_made_ = false;
};

} // namespace postrider::agent::flow
