#pragma once
// Retry policies and the arithmetic of their delays. Pure: chance and time come as arguments.
#include "base/clock.hpp"
#include "base/error.hpp"

#include <optional>
#include <string_view>

namespace postrider::base {

enum class backoff_shape { constant, linear, exponential };

std::string_view to_string(backoff_shape shape) noexcept;
std::optional<backoff_shape> backoff_shape_from_string(std::string_view name) noexcept;

// The defaults are Cloudflare Workflows' (5 retries, 10 s, exponential, 10 min per try).
struct retry_policy {
    int limit = 5; // retries after the first try
    std::chrono::milliseconds delay = 10s;
    backoff_shape backoff = backoff_shape::exponential;
    std::chrono::milliseconds timeout = 10min;           // of one try
    std::optional<std::chrono::milliseconds> total = {}; // all tries and their delays together

    bool operator==(retry_policy const&) const = default;
};

// Delays grow up to this, or stay at the policy's own where that is longer.
inline constexpr std::chrono::milliseconds longest_delay = 5min;

// The wait before retry number `retry` (1 = the first), with ±20 % jitter from `chance` in [0, 1).
// A delay that the other side asked for wins over the formula and its cap, and is never shortened.
std::chrono::milliseconds retry_delay(
    retry_policy const& policy,
    int retry,
    double chance,
    std::optional<std::chrono::milliseconds> requested_delay = {}
);

// What to do after failed try number `attempt` (1 = the first), `spent` after the first one began:
// the delay before the next, or nothing when it was the last.
std::optional<std::chrono::milliseconds> next_try(
    retry_policy const& policy,
    int attempt,
    std::chrono::milliseconds spent,
    error const& failure,
    double chance
);

} // namespace postrider::base
