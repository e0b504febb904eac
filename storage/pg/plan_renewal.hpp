#pragma once
// When a connection plans its prepared statements anew: after a hundred executions, and whenever
// these have doubled since. A plan made while tables were small is a disaster later (conninfo.cpp);
// planning this rarely costs nothing.
#include <algorithm>
#include <cstdint>

namespace postrider::storage::pg {

class plan_renewal {
public:
    // True once per interval.
    bool due(std::uint64_t executions) noexcept {
        if (executions < next_) return false;
        next_ = executions + std::min(executions, longest_interval);
        return true;
    }

private:
    static constexpr std::uint64_t first = 100;
    static constexpr std::uint64_t longest_interval = 1'000'000;

    std::uint64_t next_ = first;
};

} // namespace postrider::storage::pg
