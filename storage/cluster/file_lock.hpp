#pragma once
// Tells who uses a cluster: every process that does holds the file's flock shared. Released by the
// kernel however the process ends.
#include "base/clock.hpp"
#include "base/error.hpp"

#include <filesystem>

namespace postrider::storage::cluster {

class file_lock {
public:
    // Makes the file if need be. refused: it cannot be opened.
    static base::result<file_lock> open(std::filesystem::path const& file);

    file_lock(file_lock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    file_lock& operator=(file_lock&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~file_lock();

    // False when the time passed first.
    bool share(base::duration limit);
    bool own(base::duration limit);
    // From shared to exclusive, without waiting. When it fails the share is given up too: of
    // several processes that try at once, exactly one succeeds, the last.
    bool own_now();

private:
    explicit file_lock(int fd) : fd_(fd) {}
    bool poll(int operation, base::duration limit);
    int fd_;
};

} // namespace postrider::storage::cluster
