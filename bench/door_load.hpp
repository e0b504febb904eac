#pragma once
// How much one door takes, while nothing waits for what comes of it. The doors are Telegram's, a
// flow's webhook and the chat API's messages. Refused is any status but 200 and 202.
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

// Prints what post_load.hpp says. A std::runtime_error as well when a conversation could not be begun.
base::awaitable<void> run_door(door_plan plan, update_source updates);

} // namespace postrider::bench
