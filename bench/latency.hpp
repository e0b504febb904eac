#pragma once
// Low load: one message at a time, from the webhook's first byte to the reply's arrival at
// Telegram. The stand-in for Telegram runs in this process, so that one clock measures both. Prints
//   messages, low_accept_{p50,p99,max}_ms, reply_{p50,p99,max}_ms.
#include "base/async.hpp"
#include "bench/updates.hpp"

namespace postrider::bench {

struct latency_plan {
    std::string server; // host:port
    std::string stub;   // where the product expects Telegram and the model
    int messages = 300;
    int warm_up = 30; // before them, not counted
    base::duration pause = base::duration{std::chrono::milliseconds{10}}; // between two
    bool metrics = true; // false: the server is another program; the last reply is the end
};

// A std::runtime_error when an update was refused or a reply did not come within ten seconds.
base::awaitable<void> run_latency(latency_plan plan, update_source source);

} // namespace postrider::bench
