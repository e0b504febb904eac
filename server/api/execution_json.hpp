#pragma once
// Executions as the API writes them. No I/O.
#include "agent/flow/validate/graph.hpp"
#include "agent/flow/watch/retrace.hpp"
#include "server/views/executions.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace postrider::api {

// A job's members and the flow's.
boost::json::object to_json(server::execution_summary const& execution);

// Every node, as in the flow: its state, what came in and went out, redacted. The more nodes, the
// less is shown of each. Lets others run in between. The record tells how often each was tried, and
// which had pinned items.
base::awaitable<boost::json::array> nodes_json(
    agent::flow::graph const& flow,
    agent::flow::trace const& trace,
    queue::recording const& record,
    base::clock& clock
);

// Every connection, as in the flow, with the number of items that went along it.
boost::json::array connections_json(
    agent::flow::graph const& flow, agent::flow::trace const& trace
);

// Tokens and times of the execution as a whole.
boost::json::object totals_json(queue::recording const& record);

// Where a graph departs from the record that it was run over.
boost::json::object departures_json(agent::flow::retraced const& retraced);

} // namespace postrider::api
