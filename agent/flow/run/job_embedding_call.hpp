#pragma once
// Vectors that a job asks for itself, beside the turns: within the budgets, and in the audit as any call of a
// model. What a call pays is recorded with the step that asks.
#include "agent/flow/execution_input.hpp"
#include "agent/flow/run/audit_trail.hpp"
#include "agent/flow/run/budget_reservations.hpp"
#include "agent/models/embedding/embedder.hpp"
#include "agent/recall/vectors.hpp"

#include <optional>
#include <string>
#include <vector>

namespace postrider::agent::flow {

struct node_services;

inline constexpr base::retry_policy embedding_tries{
    .limit = 5, .delay = std::chrono::seconds{10}, .timeout = std::chrono::minutes{2}};

class job_embedding_call {
public:
    // What it refers to outlives it. The services have an embedder.
    job_embedding_call(node_services const& services, queue::workflow& steps);
    job_embedding_call(job_embedding_call const&) = delete;
    job_embedding_call& operator=(job_embedding_call const&) = delete;

    recall::vector_model const& model() const noexcept { return model_; }
    // Within the work of that step; most_embedded_texts at most.
    base::awaitable<base::result<embedded_texts>> ask(
        std::vector<std::string> texts, std::string const& step
    );

private:
    queue::workflow& steps_;
    embedder& embedder_;
    recall::vector_model model_;
    execution_input nobody_; // no flow's: it answers no one
    audit_trail audit_;
    std::optional<budget_reservations> reservations_;
};

} // namespace postrider::agent::flow
