#pragma once
// The calls of one model in an agent's rounds: its gates, its request, its tries, and what it costs.
//
// Guarantees that a reply is recorded once, under the model's step of its round, and counted once: a
// reply that was paid for before the graph began anew is used again for the same question. Private
// to the agent node.
#include "agent/flow/node_run.hpp"
#include "agent/flow/parts/models.hpp"
#include "agent/flow/parts/tools.hpp"
#include "agent/flow/run/agent_settings.hpp"
#include "agent/flow/run/audit_trail.hpp"
#include "agent/flow/run/budget_reservations.hpp"
#include "agent/flow/run/gate_hold.hpp"
#include "agent/flow/run/respondent.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

// Of the step that asks a model whose calls may take so long. A person waits for the answer.
base::retry_policy asking_policy(std::chrono::milliseconds call_timeout) noexcept;

class model_call final : public respondent {
public:
    // What it refers to outlives it. `item`: that the agent is asked for.
    model_call(
        node_run& run,
        agent_settings const& settings,
        std::size_t item,
        model_choice model,
        std::shared_ptr<offered_tools const> tools
    );

    base::awaitable<base::result<chat_reply>> ask(round_question const& round, bool gives_way)
        override;
    bool recorded() const override;
    loop_limits limits() const override { return {most_calls_, settings_.max_iterations}; }

    std::string const& step() const noexcept override { return step_; }
    std::string const& name() const override { return model_.model->name(); }
    queue::usage used() const noexcept override { return used_; }

private:
    base::awaitable<queue::step_value> attempt_in_sight(
        round_question const& round, std::chrono::milliseconds timeout
    );
    base::awaitable<queue::step_value> attempt(
        round_question const& round, std::chrono::milliseconds timeout
    );
    base::awaitable<base::result<void>> pass_gates(
        gate_hold& hold, std::chrono::milliseconds timeout
    );
    base::awaitable<base::result<void>> pass(
        std::string gate, std::chrono::milliseconds patience, std::chrono::milliseconds timeout
    );
    base::awaitable<queue::step_value> send(
        chat_request request,
        round_question const& round,
        gate_hold& hold,
        std::optional<budget_reservations::call>& reservation,
        queue::usage& used
    );
    base::awaitable<base::result<chat_reply>> ask_until_stopped(
        chat_request request, round_question const& round
    );
    base::awaitable<base::result<chat_reply>> ask_shorter(
        chat_request request, round_question const& round
    );
    void note_refused_tools(chat_reply const& reply);
    bool leaves_out_tools();
    storage::spending estimate(chat_request const& request) const noexcept;
    audit_trail::model_question audited(chat_request const& request) const;
    std::string notes_for_now() const;
    chat_request request_of(round_question const& round, std::chrono::milliseconds timeout) const;
    base::awaitable<base::error> reason_of(base::error failure) const;
    // The same for the same first request.
    std::string question(round_question const& round) const;
    std::string notes_of(round_question const& round) const;
    queue::usage usage_of(chat_reply const& reply) const noexcept;

    node_run& run_;
    agent_settings const& settings_;
    std::size_t item_;
    model_part model_;
    std::string step_;
    std::shared_ptr<offered_tools const> tools_;
    bool gives_way_ = false;
    bool reused_ = false;      // the reply was paid for before the graph began anew
    bool is_too_long_ = false; // the whole history, to this model
    std::optional<base::error> provider_failure_; // the last one in this step
    int most_calls_ = 0;
    bool lacks_tools_ = false;  // the last request: those of the agent
    bool lacks_images_ = false; // likewise: those of the question
    queue::usage used_;
};

} // namespace postrider::agent::flow
