#include "base/backoff.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace postrider::base::backoff_test {
namespace {

using milliseconds = std::chrono::milliseconds;

constexpr double middle = 0.5; // the chance that leaves a delay as it is

retry_policy policy_of(backoff_shape shape) {
    retry_policy policy;
    policy.backoff = shape;
    policy.delay = 10s;
    return policy;
}

std::vector<milliseconds> first_delays(backoff_shape shape, int count) {
    std::vector<milliseconds> delays;
    for (int retry = 1; retry <= count; ++retry)
        delays.push_back(retry_delay(policy_of(shape), retry, middle));
    return delays;
}

TEST(backoff, constant_repeats_the_delay) {
    EXPECT_EQ(
        first_delays(backoff_shape::constant, 4), (std::vector<milliseconds>{10s, 10s, 10s, 10s})
    );
}

TEST(backoff, linear_adds_the_delay) {
    EXPECT_EQ(
        first_delays(backoff_shape::linear, 4), (std::vector<milliseconds>{10s, 20s, 30s, 40s})
    );
}

TEST(backoff, exponential_doubles_until_the_cap) {
    EXPECT_EQ(
        first_delays(backoff_shape::exponential, 7),
        (std::vector<milliseconds>{10s, 20s, 40s, 80s, 160s, 300s, 300s})
    );
}

TEST(backoff, no_number_of_retries_overflows) {
    for (auto shape : {backoff_shape::linear, backoff_shape::exponential})
        for (int retry : {31, 32, 63, 64, 65, 1'000'000, 2'147'483'647})
            EXPECT_EQ(retry_delay(policy_of(shape), retry, middle), longest_delay) << retry;
}

TEST(backoff, a_retry_number_below_one_counts_as_the_first) {
    for (auto shape : {backoff_shape::constant, backoff_shape::linear, backoff_shape::exponential})
        for (int retry : {0, -1}) EXPECT_EQ(retry_delay(policy_of(shape), retry, middle), 10s);
}

TEST(backoff, jitter_stays_within_a_fifth) {
    auto const policy = policy_of(backoff_shape::constant);
    EXPECT_EQ(retry_delay(policy, 1, 0.0), 8s);
    EXPECT_LT(retry_delay(policy, 1, 0.999'999), 12s);
    EXPECT_GE(retry_delay(policy, 1, 0.999'999), 11'999ms);
    EXPECT_NE(retry_delay(policy, 1, 0.2), retry_delay(policy, 1, 0.8));
}

TEST(backoff, a_delay_asked_for_wins_and_is_never_shortened) {
    auto const policy = policy_of(backoff_shape::exponential);
    EXPECT_EQ(retry_delay(policy, 5, 0.0, 3s), 3s);
    EXPECT_EQ(retry_delay(policy, 1, 0.0, 1h), 1h) << "also beyond the cap";
    for (double chance : {0.0, 0.25, 0.999'999}) {
        EXPECT_GE(retry_delay(policy, 1, chance, 10s), 10s);
        EXPECT_LE(retry_delay(policy, 1, chance, 10s), 12s);
    }
}

TEST(backoff, limit_counts_the_tries_after_the_first) {
    auto policy = policy_of(backoff_shape::constant);
    policy.limit = 2;
    error const failure{errc::unavailable};
    EXPECT_EQ(next_try(policy, 1, 0s, failure, middle), 10s);
    EXPECT_EQ(next_try(policy, 2, 0s, failure, middle), 10s);
    EXPECT_EQ(next_try(policy, 3, 0s, failure, middle), std::nullopt);
    policy.limit = 0;
    EXPECT_EQ(next_try(policy, 1, 0s, failure, middle), std::nullopt);
}

TEST(backoff, a_failure_that_stays_is_not_tried_again) {
    auto const policy = policy_of(backoff_shape::constant);
    for (auto code : {errc::refused, errc::invalid, errc::unauthorized, errc::ambiguous})
        EXPECT_EQ(next_try(policy, 1, 0s, error(code), middle), std::nullopt) << to_string(code);
}

TEST(backoff, the_failure_s_own_delay_is_honoured) {
    auto const policy = policy_of(backoff_shape::constant);
    error failure{errc::rate_limited};
    failure.retry_after = 42s;
    EXPECT_EQ(next_try(policy, 1, 0s, failure, 0.0), 42s);
}

TEST(backoff, no_try_begins_after_the_total) {
    auto policy = policy_of(backoff_shape::constant);
    policy.total = 1min;
    error const failure{errc::timeout};
    EXPECT_EQ(next_try(policy, 1, 49s, failure, middle), 10s);
    EXPECT_EQ(next_try(policy, 1, 50s, failure, middle), std::nullopt);
    error asks{errc::rate_limited};
    asks.retry_after = 2min;
    EXPECT_EQ(next_try(policy, 1, 1s, asks, middle), std::nullopt);
}

TEST(backoff, shapes_have_names) {
    for (auto shape : {backoff_shape::constant, backoff_shape::linear, backoff_shape::exponential})
        EXPECT_EQ(backoff_shape_from_string(to_string(shape)), shape);
    EXPECT_EQ(backoff_shape_from_string("quadratic"), std::nullopt);
}

TEST(backoff, a_delay_beyond_the_cap_is_waited_out) {
    for (auto shape :
         {backoff_shape::constant, backoff_shape::linear, backoff_shape::exponential}) {
        retry_policy policy{.delay = 1h, .backoff = shape};
        for (int retry = 1; retry < 40; ++retry)
            EXPECT_EQ(retry_delay(policy, retry, 0.5), std::chrono::milliseconds(1h)) << retry;
    }
}

} // namespace
} // namespace postrider::base::backoff_test
