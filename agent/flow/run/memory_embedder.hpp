#pragma once
// Runs the jobs of agent/flow/nodes/embedding_job.hpp: gives memories their vectors, batch by batch.
//
// Guarantees that the vectors of a batch are committed with the step that paid for them, so that a later run
// goes on behind it; within the budgets, and in the audit, as any call of a model. A memory that the server refuses holds
// up no other one. A job that has done its share is followed by another one.
#include "queue/workflow.hpp"

namespace postrider::agent::flow {

struct node_services;

// They outlive it.
queue::job_kind make_memory_embeddings(node_services const& services);

} // namespace postrider::agent::flow
