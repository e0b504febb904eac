#include "base/backoff.hpp"

#include "base/names.hpp"

#include <algorithm>

namespace postrider::base {

namespace {

constexpr names<backoff_shape, 3> shapes{{
    {backoff_shape::constant, "constant"},
    {backoff_shape::linear, "linear"},
    {backoff_shape::exponential, "exponential"},
}};

} // namespace

std::string_view to_string(backoff_shape shape) noexcept {
    return name_of(shapes, shape);
}

std::optional<backoff_shape> backoff_shape_from_string(std::string_view name) noexcept {
    return named(shapes, name);
}

std::chrono::milliseconds retry_delay(
    retry_policy const& policy,
    int retry,
    double chance,
    std::optional<std::chrono::milliseconds> requested_delay
) {
    if (requested_delay) {
        // Later than asked is polite, sooner is not: the jitter only adds.
        return *requested_delay + std::chrono::milliseconds{static_cast<std::int64_t>(
                                      static_cast<double>(requested_delay->count()) * 0.2 * chance
                                  )};
    }
    auto n = static_cast<double>(std::max(1, retry));
    auto factor = 1.0;
    if (policy.backoff == backoff_shape::linear) factor = n;
    if (policy.backoff == backoff_shape::exponential)
        factor = static_cast<double>(std::int64_t{1} << std::min(30, std::max(1, retry) - 1));
    auto plain = static_cast<double>(policy.delay.count()) * factor;
    auto const most =
        std::max(longest_delay, policy.delay); // a longer first one is what was asked for
    plain = std::min(plain, static_cast<double>(most.count()));
    return std::chrono::milliseconds{static_cast<std::int64_t>(plain * (0.8 + 0.4 * chance))};
}

std::optional<std::chrono::milliseconds> next_try(
    retry_policy const& policy,
    int attempt,
    std::chrono::milliseconds spent,
    error const& failure,
    double chance
) {
    if (!retryable(failure.code) || attempt > policy.limit) return std::nullopt;
    auto delay = retry_delay(policy, attempt, chance, failure.retry_after);
    if (policy.total && spent + delay >= *policy.total) return std::nullopt;
    return delay;
}

} // namespace postrider::base
