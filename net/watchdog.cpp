#include "net/watchdog.hpp"

#include <boost/asio/steady_timer.hpp>

namespace postrider::net {

namespace {

constexpr base::steady_time never = base::steady_time::max();

} // namespace

// Shared with the timer's handler, which may run after the watchdog is gone.
struct watchdog::state : std::enable_shared_from_this<watchdog::state> {
    state(boost::asio::any_io_executor const& executor, std::function<void()> call)
        : timer(executor),
          on_expiry(std::move(call)) {}

    void arm() {
        armed_for = deadline;
        timer.expires_at(armed_for);
        timer.async_wait([self = shared_from_this()](boost::system::error_code ec) {
            if (!ec && self->on_expiry) self->fire();
        });
    }

    void fire() {
        armed_for = never;
        if (deadline == never) return;
        if (deadline > base::system_clock().steady()) return arm();
        deadline = never;
        expired = true;
        on_expiry();
    }

    boost::asio::steady_timer timer;
    std::function<void()> on_expiry;
    base::steady_time deadline = never;
    base::steady_time armed_for = never;
    bool expired = false;
};

watchdog::watchdog(boost::asio::any_io_executor const& executor, std::function<void()> on_expiry)
    : state_(std::make_shared<state>(executor, std::move(on_expiry))) {}

watchdog::~watchdog() {
    state_->on_expiry = nullptr;
    state_->timer.cancel();
}

void watchdog::expect_within(base::duration limit) {
    expect_before(base::system_clock().steady() + limit);
}

void watchdog::expect_before(base::steady_time deadline) {
    state_->expired = false;
    state_->deadline = deadline;
    if (deadline < state_->armed_for) state_->arm();
}

void watchdog::rest() noexcept {
    state_->deadline = never;
}

bool watchdog::expired() const noexcept {
    return state_->expired;
}

} // namespace postrider::net
