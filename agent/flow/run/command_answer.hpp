#pragma once
// The turn of a command: what it asks for became true with the commit that took its message in
// (execution_unit), and the turn says so, or what was asked about. No node of the flow runs, and no
// model is asked.
#include "agent/flow/chat/conversation.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/language/command.hpp"
#include "queue/workflow.hpp"

namespace postrider::agent::flow {

// The input is one with a message; the settings are the flow's. Throws queue::not_here as deliver() does.
base::awaitable<queue::outcome> answer_command(
    command const& command,
    settings const& flow,
    conversation const& conversation,
    execution_input const& input,
    queue::workflow steps,
    node_services const& services
);

} // namespace postrider::agent::flow
