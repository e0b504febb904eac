#pragma once
// Starting a flow by hand: from the command line or over HTTP.
#include "agent/flow/library/lifecycle.hpp"
#include "base/ids.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <string>

namespace postrider::agent::flow {

struct hand_start {
    std::string version = "published"; // a number, published or draft
    std::string trigger = {};          // id or name; "" = the manual one, or the only one
    // What the trigger passes on. Absent: the manual trigger's `example`, or an empty object.
    std::optional<boost::json::value> data = {};
    // "" = what settings.lane comes to for `data`, or else one of its own. Another one must exist,
    // unless its key begins with flow:.
    std::string lane = {};
    // For trying things out: see execution_input.
    std::string start = {}; // id or name of a node
    bool only = false;
    std::string until = {}; // likewise
    // By the nodes' names. Absent: those of the draft's document, where it is the draft that runs.
    std::optional<boost::json::object> pinned = {};
};

struct started {
    job_id job{};
    std::int64_t version = 0; // 0 = the draft
    std::string trigger;      // its id
};

// Enqueues the execution in the caller's transaction; nodes hear of it when that commits.
// not_found, not_published, archived, no_trigger, no_lane, invalid_flow: also where the draft could not
// be published.
allowed<started> start_by_hand(
    storage::transaction& tx,
    storage::flow_row const& flow,
    hand_start const& request,
    validator const& validator
);

} // namespace postrider::agent::flow
