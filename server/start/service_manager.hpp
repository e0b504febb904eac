#pragma once
// Tells systemd (Type=notify) how far we are, by the datagram that sd_notify(3) describes. Without
// a socket, or when nobody listens there, it does nothing: a server runs as well by hand.
#include "base/async.hpp"

#include <string>
#include <string_view>

namespace postrider::server {

class service_manager {
public:
    // socket: the value of NOTIFY_SOCKET: a path, "@name" for an abstract socket, or "".
    // watchdog: how long systemd waits for a sign of life; zero = it does not.
    explicit service_manager(std::string socket, base::duration watchdog = {})
        : socket_(std::move(socket)),
          watchdog_(watchdog) {}

    void ready() const { tell("READY=1"); }
    void stopping() const { tell("STOPPING=1"); }

    // Gives a sign of life at half the watchdog's period, for ever; returns when there is none. It
    // tells that the loop turns, as /healthz does: a database that is away is no reason to be
    // killed.
    base::awaitable<void> keep_alive() const;

private:
    void tell(std::string_view state) const;
    std::string socket_;
    base::duration watchdog_;
};

} // namespace postrider::server
