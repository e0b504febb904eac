#include "server/views/shared_looks.hpp"

namespace postrider::server {

using namespace std::chrono_literals;

base::duration pause_after_failures(int failures) noexcept {
    constexpr base::duration first = 1s;
    constexpr base::duration longest = 5s;
    constexpr int most_doublings = 3;
    return std::min(longest, first * (1 << std::clamp(failures - 1, 0, most_doublings)));
}

} // namespace postrider::server
