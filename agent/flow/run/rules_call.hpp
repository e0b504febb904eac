#pragma once
// Rounds of an agent that no model answers: where none is configured, or the last has failed for good. Where
// the agent has the tools for tasks, their rules answer; for what they leave alone, and for every other
// agent, the model of fixed rules. What that does not understand is answered by the models' failure.
//
// Guarantees that a reply is recorded under the step "rules" of its round: whatever the rules of a
// later version say, this turn goes on from what it was told. Private to the agent node.
#include "agent/flow/node_run.hpp"
#include "agent/flow/parts/tools.hpp"
#include "base/time_zone.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

class rules_call {
public:
    static constexpr std::string_view step = "rules";

    // The run outlives it. `zone`: the person's, by its IANA name.
    rules_call(node_run& run, std::shared_ptr<offered_tools const> tools, std::string const& zone);

    // `failure`: of the last model; none where there is no model to fail.
    base::awaitable<chat_reply> ask(
        std::vector<chat_message> messages, std::optional<base::error> failure
    );
    // True when the next reply stands in the record.
    bool recorded() const;

private:
    base::awaitable<chat_reply> answer(
        std::vector<chat_message> messages, std::optional<base::error> failure
    ) const;
    std::string told_failure(base::error const& failure) const;

    node_run& run_;
    std::shared_ptr<offered_tools const> tools_;
    base::time_zone zone_;
};

} // namespace postrider::agent::flow
