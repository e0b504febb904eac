#pragma once
// A connection's socket under a descriptor of its own. libpq closes its descriptor by itself when
// the connection breaks, and the number is then anybody's; this one stays ours while the object
// lives. Const members: any thread.
#include "storage/pg/failure.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace postrider::storage::pg {

class socket_copy {
public:
    // Throws failure{unavailable} when the process has no descriptor left.
    explicit socket_copy(int original) : fd_(::fcntl(original, F_DUPFD_CLOEXEC, 0)) {
        if (fd_ < 0)
            throw failure({base::errc::unavailable, "cannot connect: no file descriptor is left"});
    }
    ~socket_copy() { ::close(fd_); }
    socket_copy(socket_copy const&) = delete;
    socket_copy& operator=(socket_copy const&) = delete;

    // Ends the connection: the call in progress fails, and so does any later one.
    void shut_down() const noexcept { ::shutdown(fd_, SHUT_RDWR); }
    // Nothing to read, not even the end.
    bool quiet() const noexcept {
        pollfd readable{fd_, POLLIN, 0};
        return ::poll(&readable, 1, 0) == 0;
    }
    int fd() const noexcept { return fd_; }

private:
    int fd_;
};

} // namespace postrider::storage::pg
