#pragma once
// What makes a thread that polls look at what it is asked for. From any thread.
#include <cstdint>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>

namespace postrider::terminal {

class wake_up {
public:
    wake_up() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
    }
    ~wake_up() { ::close(descriptor_); }
    wake_up(wake_up const&) = delete;
    wake_up& operator=(wake_up const&) = delete;

    // Readable from notify() to clear().
    int descriptor() const noexcept { return descriptor_; }
    // Cannot fail: the counter is far from its limit.
    void notify() noexcept {
        std::uint64_t const count = 1;
        [[maybe_unused]] auto const written = ::write(descriptor_, &count, sizeof count);
    }
    void clear() noexcept {
        std::uint64_t count = 0;
        [[maybe_unused]] auto const bytes_read = ::read(descriptor_, &count, sizeof count);
    }

private:
    int descriptor_;
};

} // namespace postrider::terminal
