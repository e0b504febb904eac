#pragma once
// SIGTERM and SIGINT, from the first moment of a start on. While the start blocks they are held, and it
// asks for them where it waits; once the loop runs they come by next(). One object at a time, made
// before the first thread, which inherits that they are held. The main thread only.
#include "base/async.hpp"

#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <optional>
#include <stdexcept>

namespace postrider::server {

// What a start throws that was asked to stop: it is no failure.
struct start_stopped : std::runtime_error {
    start_stopped() : std::runtime_error("the start was stopped") {}
};

class stop_signals {
public:
    explicit stop_signals(base::asio::any_io_executor executor);
    ~stop_signals();
    stop_signals(stop_signals const&) = delete;
    stop_signals& operator=(stop_signals const&) = delete;

    // The number of the next one. They are held no more from the first call on.
    base::awaitable<int> next();

private:
    void release() noexcept;

    base::asio::any_io_executor executor_;
    std::optional<sigset_t> mask_before_; // while they are held
    std::optional<base::asio::signal_set> arriving_;
};

// Waits where one of them may be held. Throws start_stopped as soon as one is.
void pause_start(base::duration time);

} // namespace postrider::server
