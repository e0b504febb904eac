#pragma once
// Those that answer for an agent, in their order: the first model is asked, and the next one from the round on
// in which it has failed for good, or in which its breaker keeps everybody out. Where the agent has fixed
// rules, they stand behind the last model.
//
// Guarantees that a failure is recorded before another one is asked, so that every later run comes to
// the same; and that what was left is not asked again for the same item. An empty budget
// of ours ends the models' part: it is everybody's. Private to the agent node.
#include "agent/flow/parts/models.hpp"
#include "agent/flow/parts/tools.hpp"
#include "agent/flow/run/agent_settings.hpp"
#include "agent/flow/run/respondent.hpp"

#include <memory>
#include <vector>

namespace postrider::agent::flow {

class model_order {
public:
    // What it refers to outlives it. `models` may be empty where the settings have rules.
    model_order(
        node_run& run,
        agent_settings const& settings,
        std::size_t item,
        std::vector<model_choice> models,
        std::shared_ptr<offered_tools const> const& tools
    );

    // Before each round: true where the rules are to answer it and all that follow.
    bool comes_to_rules();
    // The error is the last model's; the rules, where there are any, are current then.
    base::awaitable<base::result<chat_reply>> ask(round_question const& round);
    // No model is asked any more. False: there are no rules.
    bool leave_models();

    // True when what ask() returned last stood in the record.
    bool was_recorded() const noexcept { return was_recorded_; }
    // True when the record has what is said next, or how the current model fails.
    bool recorded() const;
    // That was asked last, or is asked next.
    respondent const& current() const { return *respondents_[at_]; }
    // Of all that are connected, those that cannot be had included.
    bool is_first() const;
    bool insists_on_calls() const noexcept { return !is_without_model_; }

    queue::usage used() const noexcept;

private:
    respondent* rules() const;
    void report_left(base::error const& failure) const;

    node_run& run_;
    std::vector<std::unique_ptr<respondent>> respondents_;
    std::size_t at_ = 0;
    bool is_without_model_ = true; // there are those of fixed rules at most
    bool was_recorded_ = false;
};

} // namespace postrider::agent::flow
