#pragma once
// Tells whoever sent a document what has become of it, in the chat where it was sent: that it is ready, or why it is
// not. Guarantees that they hear one of it wherever the job ends: it may have failed, or was stopped, or the document
// was removed or replaced meanwhile. Where no node ran the job, sql/functions/knowledge.sql says it.
#include "agent/flow/parts/services.hpp"
#include "agent/knowledge/ingest_job.hpp"
#include "queue/workflow.hpp"

#include <string>
#include <vector>

namespace postrider::agent::flow {

// Twice only where the process died before the send was recorded. What is held for the next commit is committed with it.
base::awaitable<void> tell_of_ready_document(
    node_services const& services, queue::workflow steps, knowledge::sent_document const& sent
);

// The rows for the commit in which its job ends otherwise. `reason`: a sentence; a job that was cancelled needs none.
std::vector<storage::write> tell_of_unread_document(
    queue::job const& job, queue::outcome const& ended, std::string const& reason
);

} // namespace postrider::agent::flow
