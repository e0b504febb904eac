#pragma once
// How many calls of todo tools POST /mcp takes: connections that make one call after the other, as
// people who take turns. A result that is an error counts as refused.
#include "base/async.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace postrider::bench {

// What a connection calls. A round creates a task, completes it and lists what is open.
enum class mcp_calls { create, create_once, round };

struct mcp_plan {
    std::string server;              // host:port
    std::vector<std::string> tokens; // one for each person
    mcp_calls calls = mcp_calls::create;
    bool sessions = false; // by a revision with a handshake; each connection begins a session
    std::string run;       // begins the keys of calls that are made once
    int connections = 32;
    std::uint64_t requests = 10'000;
};

// Prints what post_load.hpp says. A std::runtime_error as well when a session could not be begun.
base::awaitable<void> run_mcp(mcp_plan plan);

} // namespace postrider::bench
