#pragma once
// The fixed rules that answer for an agent where no model does: none is configured, or the last has failed for
// good. The rules of its families of tools answer; for what they leave alone, and for every
// other agent, the model of fixed rules. What that does not understand is answered by the models' failure.
//
// Guarantees that a reply is recorded under the step "rules" of its round: whatever the rules of a
// later version say, this turn goes on from what it was told. Private to the agent node.
#include "agent/flow/node_run.hpp"
#include "agent/flow/parts/tools.hpp"
#include "agent/flow/run/respondent.hpp"
#include "base/time_zone.hpp"

#include <memory>
#include <optional>

namespace postrider::agent::flow {

class rules_respondent final : public respondent {
public:
    // The run outlives it. `zone`: the person's, by its IANA name.
    rules_respondent(
        node_run& run, std::shared_ptr<offered_tools const> tools, std::string const& zone
    );

    base::awaitable<base::result<chat_reply>> ask(round_question const& round, bool gives_way)
        override;
    bool recorded() const override;
    loop_limits limits() const override;

    std::string const& step() const noexcept override { return name_; }
    std::string const& name() const override { return name_; }
    queue::usage used() const noexcept override { return {}; }
    bool is_rules() const noexcept override { return true; }

private:
    base::awaitable<chat_reply> answer(round_question const& round) const;
    std::string explain_failure(base::error const& failure, std::string_view language) const;

    node_run& run_;
    std::shared_ptr<offered_tools const> tools_;
    base::time_zone zone_;
    std::string name_;
};

} // namespace postrider::agent::flow
