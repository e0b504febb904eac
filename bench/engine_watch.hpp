#pragma once
// When the product has done everything it accepted, as its own /metrics tell.
#include "bench/load_connection.hpp"

namespace postrider::bench {

struct engine_state {
    std::uint64_t over = 0; // runs that completed or failed
    std::uint64_t failed = 0;
    std::uint64_t busy = 0; // turns whose last commit is still to come count as busy
};

// A std::runtime_error when the answer is not the product's.
base::awaitable<engine_state> read_engine(load_connection& product);

// Suspends until so many runs are over and none is busy; asks every 20 ms.
base::awaitable<engine_state> until_idle(load_connection& product, std::uint64_t over);

} // namespace postrider::bench
