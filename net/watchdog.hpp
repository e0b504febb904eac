#pragma once
// One timer for all deadlines of a connection. Moving the deadline later, which every request does,
// costs a store: the timer notices when it fires and sleeps on.
//
// When a deadline passes, `on_expiry` is called once, on the executor; it should cancel the socket.
// On the executor's one thread; the callback is never called after destruction.
#include "base/clock.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <functional>
#include <memory>

namespace postrider::net {

class watchdog {
public:
    watchdog(boost::asio::any_io_executor const& executor, std::function<void()> on_expiry);
    ~watchdog();
    watchdog(watchdog const&) = delete;
    watchdog& operator=(watchdog const&) = delete;

    // The one deadline from now on, in place of the one before.
    void expect_within(base::duration limit);
    void expect_before(base::steady_time deadline);
    // No deadline.
    void rest() noexcept;
    // The deadline set last has passed.
    bool expired() const noexcept;

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace postrider::net
