#pragma once
// What the names of expressions meant at a node of an execution that was traced. Pure.
#include "agent/flow/parts/services.hpp"
#include "agent/flow/validate/graph.hpp"
#include "agent/flow/watch/trace.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent::flow {

// {"json", "input", "nodes": {name: …}, "now", "session", "execution", "vars"} for the node's first
// item; "now" is the time of the call. The trace is the graph's, of that job.
boost::json::object names_at(
    graph const& flow,
    trace const& history,
    queue::job const& job,
    node_services const& services,
    std::size_t node
);

} // namespace postrider::agent::flow
