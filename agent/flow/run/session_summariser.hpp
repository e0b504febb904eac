#pragma once
// Runs the jobs of agent/flow/nodes/summary_job.hpp: asks the model for a summary once, which is recorded and
// paid once, and adds it to the session, if that still has what it covers.
#include "queue/workflow.hpp"

namespace postrider::agent::flow {

struct node_services;

// They outlive it.
queue::job_kind make_summaries(node_services const& services);

} // namespace postrider::agent::flow
