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
    // Until it is made.
    base::awaitable<void> wait() {
        while (!is_made_) co_await made_.wait();
    }

private:
    base::signal made_;
    bool is_made_ = false;
};

} // namespace postrider::agent::flow
