#pragma once
// No more descriptors for this process, while it lives.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace postrider::tests {

// All descriptors that the process may still open.
class descriptor_shortage {
public:
    descriptor_shortage() {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        auto tight = before_;
        tight.rlim_cur = 256;
        ::setrlimit(RLIMIT_NOFILE, &tight);
        for (int fd; (fd = ::open("/dev/null", O_RDONLY)) >= 0;) held_.push_back(fd);
    }
    ~descriptor_shortage() {
        for (auto fd : held_) ::close(fd);
        ::setrlimit(RLIMIT_NOFILE, &before_);
    }

private:
    rlimit before_{};
    std::vector<int> held_;
};

} // namespace postrider::tests
