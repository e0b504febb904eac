#pragma once
// Runs the jobs of agent/knowledge/ingest_job.hpp: loads a document where need be, reads it into parts, and lets them
// answer. Another job makes their vectors (part_embedder.hpp).
//
// Guarantees that the older parts of a document answer until the new ones are whole, that nothing is stored twice
// wherever a run dies, and that a document which cannot be read says why: that is no failure of the job.
#include "queue/workflow.hpp"

namespace postrider::agent::flow {

struct node_services;

// They outlive it.
queue::job_kind make_ingestions(node_services const& services);

} // namespace postrider::agent::flow
