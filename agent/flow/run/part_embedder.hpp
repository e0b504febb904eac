#pragma once
// Gives parts of documents their vectors, batch by batch, in jobs behind those that read them: of one document as soon
// as it is ready, or of all parts that have none.
//
// Guarantees that a later run goes on behind the vectors that are stored, and pays again for one batch at most, unless
// the model was changed meanwhile: then it makes all anew. Parts that the model refuses keep
// the others from nothing. Within the budgets, and in the audit, as any call of a model.
#include "agent/flow/execution_input.hpp"
#include "agent/flow/run/audit_trail.hpp"
#include "agent/flow/run/budget_reservations.hpp"
#include "agent/knowledge/ingest_job.hpp"
#include "agent/knowledge/part_vectors.hpp"
#include "agent/models/embedding/embedder.hpp"
#include "queue/workflow.hpp"

#include <optional>
#include <span>

namespace postrider::agent::flow {

struct node_services;

struct embedded_parts {
    std::int64_t parts = 0;   // that have got a vector
    std::int64_t refused = 0; // that the model takes in no call
};

class part_embedder {
public:
    // What it refers to outlives it. The services have an embedder.
    part_embedder(node_services const& services, queue::workflow& steps);
    part_embedder(part_embedder const&) = delete;
    part_embedder& operator=(part_embedder const&) = delete;

    // Of that document; nothing: of all that answer.
    base::awaitable<base::result<embedded_parts>> run(
        std::optional<knowledge::embedded_document> document
    );

private:
    base::awaitable<queue::step_value> embed_batch(
        std::optional<knowledge::embedded_document> const& document, std::string const& step
    );
    base::awaitable<void> store();
    base::awaitable<base::result<void>> embed_some(
        std::span<knowledge::bare_part const> parts, std::string const& step
    );
    base::awaitable<base::result<embedded_texts>> ask(
        std::span<knowledge::bare_part const> parts, std::string const& step
    );

    node_services const& services_;
    queue::workflow& steps_;
    embedder& embedder_;
    recall::vector_model model_;
    execution_input nobody_; // no flow's: it answers no one
    audit_trail audit_;
    std::optional<budget_reservations> reservations_;
    std::int64_t last_ = 0;                  // of the parts that this run has asked for
    std::vector<storage::write> rows_ = {};  // of the batch
    std::vector<std::int64_t> refused_ = {}; // likewise
    base::error last_refusal_ = {};
};

// The kind of these jobs. Words find a document all the same where its vectors cannot be made: then its job counts as
// degraded, and one of all documents waits for the server. They outlive it.
queue::job_kind make_part_embeddings(node_services const& services);

} // namespace postrider::agent::flow
