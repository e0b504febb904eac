#pragma once
// Rounds of an agent that no model answers: where none is configured, or it has failed for good. The
// rules of the todo agent answer, and for what they leave alone the model of fixed rules.
//
// Guarantees that a reply is recorded under the step "rules" of its round: whatever the rules of a
// later version say, this turn goes on from what it was told. Private to the agent node.
#include "agent/flow/node_run.hpp"
#include "base/time_zone.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

class rules_call {
public:
    static constexpr std::string_view step = "rules";

    // The run outlives it. `zone`: the person's, by its IANA name.
    rules_call(node_run& run, std::shared_ptr<offered_tools const> tools, std::string const& zone);

    base::awaitable<chat_reply> ask(std::vector<chat_message> messages);
    // True when the next reply stands in the record.
    bool recorded() const;

private:
    base::awaitable<chat_reply> answer(std::vector<chat_message> messages) const;

    node_run& run_;
    std::shared_ptr<offered_tools const> tools_;
    base::time_zone zone_;
};

} // namespace postrider::agent::flow
