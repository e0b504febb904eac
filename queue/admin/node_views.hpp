#pragma once
// The nodes as people look at them: the server processes that share the work. Read-only; inside an open
// transaction. Instants are ISO 8601 in UTC with microseconds.
#include "storage/database.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace postrider::queue {

struct node_summary {
    std::int64_t id = 0;
    std::string host;
    std::int64_t pid = 0;
    std::string version;
    std::string started_at;
    std::string beat_at; // its last heartbeat
    bool alive = true;   // it beat within eight seconds; else others take its lanes
    std::int64_t slots = 0;
    std::int64_t busy = 0;
    std::vector<std::string> polled_bots = {}; // it fetches their updates
};

// By number, those behind `after`.
std::vector<node_summary> list_nodes(storage::transaction& tx, std::int64_t after, int limit);

} // namespace postrider::queue
