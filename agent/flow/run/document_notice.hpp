#pragma once
// Tells whoever sent a document what has become of it.
#include "agent/flow/parts/services.hpp"
#include "agent/knowledge/ingest_job.hpp"
#include "queue/workflow.hpp"

#include <string>

namespace postrider::agent::flow {

struct document_news {
    bool was_read = false;
    std::string failure = {}; // a sentence, where it was not
};

// In the chat where it was sent; twice only where the process died before the send was recorded. What is held for the
// next commit is committed with it.
base::awaitable<void> tell_of_document(
    node_services const& services,
    queue::workflow steps,
    knowledge::sent_document const& sent,
    document_news news
);

} // namespace postrider::agent::flow
