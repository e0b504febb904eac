#pragma once
// Runs the jobs of agent/knowledge/ingest_job.hpp: loads a document where need be, reads it into parts, gives
// them vectors, and lets them answer.
//
// Guarantees that the older parts of a document answer until the new ones are whole, that nothing is stored or
// paid twice wherever a run dies, and that a document which cannot be read says why. Without vectors, as the
// server for embeddings fails, it is found by its words, and the job counts as degraded.
#include "queue/workflow.hpp"

namespace postrider::agent::flow {

struct node_services;

// They outlive it.
queue::job_kind make_ingestions(node_services const& services);

} // namespace postrider::agent::flow
