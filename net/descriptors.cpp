#include "net/descriptors.hpp"

#include <sys/resource.h>

namespace postrider::net {

std::size_t raise_descriptor_limit() noexcept {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    auto raised = limit;
    raised.rlim_cur = raised.rlim_max;
    if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
    return limit.rlim_cur;
}

} // namespace postrider::net
