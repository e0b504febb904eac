#pragma once
// Tells systemd (Type=notify) how far we are, by the datagram that sd_notify(3) describes. Without
// a socket, or when nobody listens there, it does nothing: a server runs as well by hand.
#include <string>
#include <string_view>

namespace postrider::server {

class service_manager {
public:
    // The value of NOTIFY_SOCKET: a path, "@name" for an abstract socket, or "".
    explicit service_manager(std::string socket) : socket_(std::move(socket)) {}

    void ready() const { tell("READY=1"); }
    void stopping() const { tell("STOPPING=1"); }

private:
    void tell(std::string_view state) const;
    std::string socket_;
};

} // namespace postrider::server
