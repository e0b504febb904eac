#pragma once
// As much as the product takes: connections that post one update after the other, then waiting
// until every turn is done. Prints
//   accepted, refused (any status but 200), accepted_per_s, accept_{p50,p99,max}_ms,
//   failed (turns), finished_per_s (over the whole time, accepting included).
#include "base/async.hpp"
#include "bench/report.hpp"
#include "bench/updates.hpp"

#include <cstdint>

namespace postrider::bench {

struct burst_plan {
    std::string server; // host:port
    int connections = 32;
    std::uint64_t updates = 20'000;                              // at most
    base::duration time = base::duration{std::chrono::hours{1}}; // at most
};

// A std::runtime_error when a connection broke.
base::awaitable<void> run_burst(burst_plan plan, update_source source);

} // namespace postrider::bench
