#include "storage/cluster/file_lock.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace postrider::storage::cluster {

base::result<file_lock> file_lock::open(std::filesystem::path const& file) {
    int const fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return base::error(
            base::errc::refused, file.string() + " cannot be opened: " + std::strerror(errno)
        );
    return file_lock{fd};
}

file_lock::~file_lock() {
    if (fd_ >= 0) ::close(fd_);
}

bool file_lock::share(base::duration limit) {
    return poll(LOCK_SH, limit);
}

bool file_lock::own(base::duration limit) {
    return poll(LOCK_EX, limit);
}

bool file_lock::own_now() {
    if (flock(fd_, LOCK_EX | LOCK_NB) == 0) return true;
    flock(fd_, LOCK_UN);
    return false;
}

// flock waits without a limit, so it is asked again and again.
bool file_lock::poll(int operation, base::duration limit) {
    using namespace std::chrono_literals;
    auto const deadline = base::system_clock().steady() + limit;
    while (flock(fd_, operation | LOCK_NB) != 0) {
        if (base::system_clock().steady() >= deadline) return false;
        std::this_thread::sleep_for(20ms);
    }
    return true;
}

} // namespace postrider::storage::cluster
