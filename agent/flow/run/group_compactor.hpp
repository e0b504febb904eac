#pragma once
// Runs the jobs of agent/flow/nodes/compaction_job.hpp: asks the model once for a summary of the older half of a
// group's messages, which is recorded and paid once, and stores it. Its group is answered meanwhile.
#include "queue/workflow.hpp"

namespace postrider::agent::flow {

struct node_services;

// They outlive it.
queue::job_kind make_compactions(node_services const& services);

} // namespace postrider::agent::flow
