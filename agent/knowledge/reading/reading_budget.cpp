#include "agent/knowledge/reading/reading_budget.hpp"

#include "agent/knowledge/reading/failures.hpp"

#include <fmt/format.h>

namespace postrider::agent::knowledge {

reading_budget::reading_budget(reading_limits const& limits, std::stop_token stop)
    : limits_(limits),
      stop_(std::move(stop)),
      end_(base::system_clock().steady() + limits.time),
      unpacked_left_(limits.unpacked_bytes) {}

bool reading_budget::has_time() const {
    return !stop_.stop_requested() && base::system_clock().steady() < end_;
}

base::result<void> reading_budget::check() const {
    if (!has_time()) return document_too_slow();
    return {};
}

base::result<void> reading_budget::unpack(std::size_t bytes) {
    if (is_beyond(bytes))
        return document_too_large(
            fmt::format("more than {} bytes when it is unpacked", limits_.unpacked_bytes)
        );
    unpacked_left_ -= bytes;
    return check();
}

} // namespace postrider::agent::knowledge
