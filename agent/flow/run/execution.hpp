#pragma once
// One run of a flow: a job function over its graph.
//
// Items pass along main connections. A node runs when all connections into its main input are
// resolved and at least one brought items; what nothing orders runs side by side
// (workflow::parallel). Its steps are named after the node ("assistant/model"), so a crash resumes
// inside the graph: recorded steps are served, pure nodes computed anew. A commit that is refused
// as stale (the user edited the message meanwhile) begins the graph anew over the same record.
//
// The job's input is execution_input.hpp. Its output: {"nodes": {name: metadata}, "error"?}, and
// the items of the last nodes where no message was answered.
#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/flow_choice.hpp"
#include "agent/flow/run/observer.hpp"
#include "agent/flow/validate/graph.hpp"
#include "queue/workflow.hpp"

#include <boost/json/object.hpp>

#include <string_view>

namespace postrider::agent::flow {

// Runs the graph to its end on the workflow. Lets pass what a job function lets pass.
base::awaitable<queue::outcome> execute(
    graph const& flow, queue::workflow steps, node_services const& services, observer& watcher
);

// The graph of a choice, for a run of it or within one. not_found: there is none; others: it
// cannot be read. Throws queue::not_here when another node may know its node types, or the
// database is away and comes back.
base::awaitable<base::result<std::shared_ptr<graph const>>> find_to_run(
    node_services const& services, flow_choice choice
);

// The kinds of job that run flows, the one that tells people of those that failed, and reminders. The
// services outlive the engine.
std::vector<queue::job_kind> make_executions(node_services const& services);

} // namespace postrider::agent::flow
