#pragma once
// Starting a flow by hand: from the command line or over HTTP.
#include "agent/flow/library/lifecycle.hpp"
#include "base/ids.hpp"

#include <boost/json/value.hpp>

#include <optional>
#include <string>

namespace postrider::agent::flow {

struct hand_start {
    std::optional<std::int64_t> version = {}; // absent: what is published
    std::string trigger = {};                 // id or name; "" = the manual one, or the only one
    boost::json::value data = boost::json::object{}; // what the trigger passes on
    // "" = what settings.lane comes to for `data`, or else one of its own. Another one must exist,
    // unless its key begins with flow:.
    std::string lane = {};
    // For trying things out: see execution_input.
    std::string start = {}; // id or name of a node
    bool only = false;
    boost::json::object pinned = {}; // by the nodes' names
};

struct started {
    job_id job{};
    std::int64_t version = 0;
    std::string trigger; // its id
};

// Enqueues the execution in the caller's transaction; nodes hear of it when that commits.
// not_found, not_published, archived, no_trigger, no_lane, invalid_flow.
allowed<started> start_by_hand(
    storage::transaction& tx,
    storage::flow_row const& flow,
    hand_start const& request,
    catalog const& types
);

} // namespace postrider::agent::flow
