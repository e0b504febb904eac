#include "base/measures.hpp"

#include <algorithm>

namespace postrider::base {

void histogram::observe(double value) noexcept {
    auto const bucket = std::ranges::lower_bound(bounds_, value) - bounds_.begin();
    ++counts_[static_cast<std::size_t>(bucket)];
    sum_ += value;
}

std::vector<std::uint64_t> histogram::cumulative() const {
    auto sums = counts_;
    for (std::size_t bucket = 1; bucket < sums.size(); ++bucket) sums[bucket] += sums[bucket - 1];
    return sums;
}

} // namespace postrider::base
