#pragma once
// How much one door takes: connections that post one request after the other, and nothing waits for
// what comes of them. The doors are Telegram's, a flow's webhook and the chat API's messages.
// Prints
//   accepted, refused (any status but 200 and 202), accepted_per_s, accept_{p50,p99,max}_ms.
#include "base/async.hpp"
#include "bench/updates.hpp"

#include <string>

namespace postrider::bench {

enum class door { telegram, webhook, chat };

struct door_plan {
    std::string server; // host:port
    door of = door::telegram;
    std::string path = "/hooks/bench"; // of the webhook
    std::string token;                 // bearer of webhook and chat API
    int connections = 32;
    int conversations = 900; // of the chat door; begun before the clock starts
    std::uint64_t requests = 10'000;
};

// A std::runtime_error when a connection broke or a conversation could not be begun.
base::awaitable<void> run_door(door_plan plan, update_source updates);

} // namespace postrider::bench
