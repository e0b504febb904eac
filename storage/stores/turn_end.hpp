#pragma once
// The end of a turn on the word of a person in its chat (/stop, /new, a stop word).
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <string>

namespace postrider::storage {

struct turn_end {
    lane_id lane{};
    boost::json::object
        place; // of the turns, as agent::to_json() has it: a lane may have several chats
    user_id user{};
    bool is_owner = false; // may end others' turns, too
    // The folded words of a stop word: where a button of the turn's open question says so, it stays.
    std::string said = {};
};

struct stopped_turn {
    std::optional<job_id> job; // that is cancelled, or whose worker was asked to
    bool others = false;       // nothing ended: the turn there is another person's
};

// Cancels the oldest turn of the lane that is not over and does not end already, was asked for in that
// place, and that the person may end; in a lane that coalesces all of them that wait. One that is paused
// stays. Its unit gets one row. It locks the lane, whether or not there is a
// turn: its unit is apart. Order 29, before the statements that enqueue.
write end_turn(turn_end const& row);
stopped_turn read_stopped_turn(row const& returned);

} // namespace postrider::storage
