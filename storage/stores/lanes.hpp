#pragma once
// The lanes that jobs wait in, by their keys.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::storage {

// How a lane takes its messages, in the words of postrider.lane.
struct lane_manner {
    std::string mailbox = "queue";
    std::chrono::milliseconds debounce{0};

    bool operator==(lane_manner const&) const = default;
};

struct lane_row {
    std::string key;
    lane_manner manner = {};
    std::optional<bot_id> bot = {};
    std::optional<chat_id> chat = {}; // absent: not one chat's
    bool exists = false;              // it is never made: where it is gone, not_found
};

// The lane of a key, created when there is none and told how it takes messages from now on. Its
// unit gets one row: read_lane(). Order 20; lanes are created in the order of their keys, so that
// nodes never wait for each other in a circle.
write ensure_lane(lane_row const& lane);
// The same, but a lane that is there keeps its manner: for what starts no turn in it.
write find_or_add_lane(lane_row const& lane);
lane_id read_lane(row const& returned);

// The same inside an open transaction; throws as transaction::query() does.
lane_id ensure_lane(transaction& tx, std::string_view key, lane_manner const& manner);
lane_id find_or_add_lane(transaction& tx, std::string_view key, lane_manner const& manner);

} // namespace postrider::storage
