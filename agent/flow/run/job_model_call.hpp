#pragma once
// A model that a job asks for itself, beside the turns: through the model's gates, within the budgets of a
// flow, and into the audit. What a call pays is recorded with the step that asks.
#include "agent/flow/execution_input.hpp"
#include "agent/flow/parts/models.hpp"
#include "agent/flow/run/audit_trail.hpp"
#include "agent/flow/run/budget_reservations.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace postrider::agent::flow {

struct node_services;

// Words that are kept of it, and tokens that the model may write.
struct summary_size {
    int words = 0;
    int tokens = 0;
};

class job_model_call {
public:
    // What it refers to outlives it. `flow`: whose budget pays.
    job_model_call(node_services const& services, queue::workflow& steps, std::string flow);
    job_model_call(job_model_call const&) = delete;
    job_model_call& operator=(job_model_call const&) = delete;

    // Within the work of that step. Waits two minutes at most for a gate.
    base::awaitable<base::result<chat_reply>> ask(
        model_part const& part, chat_request question, std::string_view step
    );

    // The same of the model that a job's input names, with no more tokens than that model may use.
    base::awaitable<base::result<chat_reply>> ask_selected(
        model_part const& selected, chat_request question, std::string_view step
    );

    // A summary by that model. invalid: it has no words. Other errors as above.
    base::awaitable<base::result<std::string>> summarise(
        model_part const& selected, std::string prompt, summary_size most, std::string_view step
    );

private:
    static execution_input payer_of(std::string flow);

    node_services const& services_;
    queue::workflow& steps_;
    execution_input payer_; // its flow alone: it answers nobody
    audit_trail audit_;
    std::optional<budget_reservations> reservations_;
};

} // namespace postrider::agent::flow
