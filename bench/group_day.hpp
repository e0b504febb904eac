#pragma once
// A simulated day of a busy group: what the bot's requests are made of, and what a provider's prompt cache has of
// them. Pure; the messages are drawn at random from a seed.
#include "agent/group/context.hpp"

#include <cstdint>

namespace postrider::bench {

struct day_plan {
    int messages = 5000; // most of them in the evening
    std::int64_t threshold = 50'000;
    std::uint32_t seed = 1;
    double speaks_every = 12; // requests in which the bot says something
};

// US dollars for a million tokens.
struct day_prices {
    double input = 0;
    double cached = 0;
    double written = 0;
    double output = 0;
};

struct day_result {
    std::int64_t requests = 0;
    std::int64_t compactions = 0;
    std::int64_t fresh = 0; // tokens of all requests, each of one kind
    std::int64_t cached = 0;
    std::int64_t written = 0;
    std::int64_t output = 0;
    std::int64_t summarised = 0; // tokens that the compaction model read
    std::int64_t summaries = 0;  // and wrote

    double cached_share() const;
    double cost(day_prices const& answers, day_prices const& summaries_at) const;
};

// As Anthropic's cache: kept from mark to mark for five minutes since the last use, and found at most twenty
// blocks before a mark.
day_result simulate_day(day_plan const& plan);

} // namespace postrider::bench
