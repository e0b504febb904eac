#pragma once
// Texts as vectors, asked for by a step: within the budgets, in the audit and in the step's usage, as any call of a
// model. On the executor's one thread.
#include "agent/models/embedding/embedder.hpp"
#include "queue/workflow.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

class budget_reservations; // run/budget_reservations.hpp
class audit_trail;         // run/audit_trail.hpp

struct embedding_payer {
    queue::workflow steps;
    budget_reservations* reservations = nullptr; // null where no budget is configured
    audit_trail* audit = nullptr;                // null where nobody keeps one
};

// Within the work of that step. budget, overloaded: as budget_reservations::reserve() says; the others as
// embedder::embed(). The embedder outlives it. `audited` stands beside the audit in place of the texts, where these are of
// several people.
base::awaitable<base::result<embedded_texts>> embed_paid(
    embedder& server,
    embedding_payer payer,
    std::string step,
    std::vector<std::string> texts,
    std::chrono::milliseconds timeout,
    std::string audited = {}
);

// Of a call with several texts: one of them may be the reason; apart, the others have their vectors.
bool may_be_one_text(base::error const& failure);

} // namespace postrider::agent::flow
