#pragma once
// Lanes and pauses as people look at them, read from the documented views. Read-only; inside an open
// transaction, for the command line and the HTTP API. Instants are ISO 8601 in UTC with microseconds;
// an empty text is no instant.
#include "storage/database.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::queue {

struct lane_summary {
    std::int64_t id = 0;
    std::string key;
    std::string mailbox;
    std::string status; // idle, ready, waiting, running, paused
    std::string ready_at;
    std::string wait_reason;
    std::string paused_at; // the lane's own pause
    std::string paused_by; // lane, all, bot:NAME; empty when it is not paused
    std::optional<std::int64_t> node;
    std::int64_t live_jobs = 0;
    std::string name; // its key in words
};

struct lane_filter {
    std::string status = {}; // empty: every lane that is not idle, unless a key or text is given
    std::string key = {};
    std::string text = {}; // a part of the key
};

// By key, those behind `after` when it is given.
std::vector<lane_summary> list_lanes(
    storage::transaction& tx, lane_filter const& filter, std::string_view after, int limit
);

// What is paused as a whole: "all", "bot:NAME".
struct pause_summary {
    std::string scope;
    std::string since;
};
std::vector<pause_summary> list_pauses(storage::transaction& tx);

} // namespace postrider::queue
