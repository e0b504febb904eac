#pragma once
// What comes of an execution that failed or was cancelled.
#include "agent/flow/parts/services.hpp"
#include "queue/workflow.hpp"

#include <vector>

namespace postrider::agent::flow {

// What belongs into the commit by which it fails or is cancelled: its deliveries are closed. Where it
// fails, whatever failed it, the flow that its settings.error_flow names is started, in a job of its own. Without one, the
// person whose message it was to answer is told, unless a node failed it on purpose.
//
// The error flow's item is {"error": {"node", "code", "message"}, "execution": {"id", "flow"}}; the
// node is null where none has failed. What fails while it deals with a failure starts nothing more.
base::awaitable<std::vector<storage::write>> rows_of_failure(
    node_services const& services, queue::job const& job, queue::outcome const& outcome
);

} // namespace postrider::agent::flow
