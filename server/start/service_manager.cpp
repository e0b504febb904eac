#include "server/start/service_manager.hpp"

#include <cstddef>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace postrider::server {

void service_manager::tell(std::string_view state) const {
    sockaddr_un address{};
    if (socket_.empty() || socket_.size() >= sizeof address.sun_path) return;
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, socket_.data(), socket_.size());
    if (socket_.front() == '@') address.sun_path[0] = '\0';
    auto const length = offsetof(sockaddr_un, sun_path) + socket_.size();

    int const out = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (out < 0) return;
    auto const* generic = reinterpret_cast<sockaddr const*>(&address);
    ::sendto(
        out, state.data(), state.size(), MSG_NOSIGNAL, generic, static_cast<socklen_t>(length)
    );
    ::close(out);
}

base::awaitable<void> service_manager::keep_alive() const {
    while (watchdog_ > base::duration::zero()) {
        tell("WATCHDOG=1");
        co_await base::sleep_for(watchdog_ / 2);
    }
}

} // namespace postrider::server
