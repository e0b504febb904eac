#include "bench/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postrider::bench {

base::duration samples::quantile(double share) const {
    if (all_.empty()) return {};
    auto sorted = all_;
    auto const rank = std::ceil(share * static_cast<double>(sorted.size()));
    auto const at = static_cast<std::ptrdiff_t>(std::max(rank, 1.0)) - 1;
    std::ranges::nth_element(sorted, sorted.begin() + at);
    return sorted[static_cast<std::size_t>(at)];
}

double milliseconds(base::duration d) {
    return std::chrono::duration<double, std::milli>(d).count();
}

std::string to_lines(std::string_view name, samples const& of) {
    return fmt::format(
        "{0}_p50_ms={1:.3f}\n{0}_p99_ms={2:.3f}\n{0}_max_ms={3:.3f}\n",
        name,
        milliseconds(of.quantile(0.5)),
        milliseconds(of.quantile(0.99)),
        milliseconds(of.quantile(1))
    );
}

} // namespace postrider::bench
