#pragma once
// Many groups at once: a message at a time in each, at a steady rate, and how long each waits for the bot's answer.
// Plays Telegram and a slow model itself. Prints name=value lines; an answer that never comes is a std::runtime_error.
#include "base/async.hpp"
#include "bench/updates.hpp"

#include <chrono>
#include <string>

namespace postrider::bench {

struct group_plan {
    std::string server; // host:port
    std::string stub;   // where to play Telegram and the model
    int chats = 300;
    int messages_per_second = 50;
    std::chrono::seconds length{60};
    std::chrono::milliseconds model_takes{3000};
};

base::awaitable<void> run_groups(group_plan plan, update_source source);

} // namespace postrider::bench
