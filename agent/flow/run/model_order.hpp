#pragma once
// The models of an agent, in their order: the first one is asked, and the next one from the round on in
// which it has failed for good, or in which its breaker keeps everybody out.
//
// Guarantees that a failure is recorded before another model is asked, so that every later run comes to
// the same model; and that a model which was left is not asked again for the same item. An empty budget
// of ours ends the round: it is everybody's. Private to the agent node.
#include "agent/flow/parts/model_step.hpp"
#include "agent/flow/run/model_call.hpp"

#include <memory>
#include <string>
#include <vector>

namespace postrider::agent::flow {

class model_order {
public:
    // What it refers to outlives it. `models` are not empty. Where the settings have rules, the last one
    // gives way to them.
    model_order(
        node_run& run,
        agent_settings const& settings,
        std::size_t item,
        std::vector<model_choice> models,
        std::shared_ptr<offered_tools const> const& tools
    );

    // The error is the last model's.
    base::awaitable<base::result<chat_reply>> ask(model_call::round const& asked);
    // True when what ask() returned last stood in the record.
    bool was_recorded() const noexcept { return was_recorded_; }
    // True when the record has what the current model says next, or how it fails.
    bool recorded() const { return current().recorded(); }

    // That was asked last, or is asked first.
    model_call const& current() const { return calls_[at_]; }
    // Of all that are connected, those that cannot be had included.
    bool is_first() const { return current().step() == model_step(1, 1); }

    queue::usage used() const noexcept;

private:
    bool is_for_rules() const;
    void report_left(base::error const& failure) const;

    node_run& run_;
    bool has_rules_;
    std::vector<model_call> calls_;
    std::size_t at_ = 0;
    bool was_recorded_ = false;
};

} // namespace postrider::agent::flow
