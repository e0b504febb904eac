#pragma once
// Runs the jobs of agent/flow/nodes/extraction_job.hpp: makes a summary and facts of older messages, batch by
// batch.
//
// Guarantees that a model is asked once for a batch, recorded and paid once; that the memories of a batch are
// committed with what the model said; and that nothing is stored of a message that changed meanwhile. After a job that
// failed the next one waits. Messages of which no model makes anything are tried in ever smaller batches, and skipped at
// last (postrider.memory_failures).
#include "queue/workflow.hpp"

namespace postrider::agent::flow {

struct node_services;

// They outlive it.
queue::job_kind make_memory_extractions(node_services const& services);

} // namespace postrider::agent::flow
