#pragma once
// A message that an agent sends by a tool: an effect like any other that a flow sends, in the scope of the
// call's step. Several of one turn go out in the order of their calls.
#include "agent/flow/node_run.hpp"
#include "agent/flow/parts/offered_tools.hpp"

namespace postrider::agent::flow {

// The record has a message in that scope: it is asked for again at every run, whatever its tool has become.
bool has_sent(queue::workflow const& steps);

// `private_words`: what the message may not repeat, the agent's instructions; "" = nothing.
//
// For the model: the message's number. It stands in the history of its chat, at that position. ambiguous: it
// may have been sent; refused: it repeats them; else as messenger::send(). Throws queue::not_here as deliver() does.
base::awaitable<queue::step_value> send_by_tool(
    node_run& run,
    queue::workflow steps,
    offered_tool const& tool,
    boost::json::object arguments,
    std::int64_t position,
    std::string_view private_words
);

} // namespace postrider::agent::flow
