#pragma once
// A person's voice message as words.
//
// Guarantees that it is written down once, in the recorded step "transcript", paid from the budgets as one call, and
// that the words stand in the message's row with the same commit. Private to execution.cpp.
#include "agent/flow/chat/conversation.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/budget_reservations.hpp"

namespace postrider::agent::flow {

// Gives the conversation the words of the message that the input has heard, where it is spoken. False: it could not
// be written down, and the input says so as of anything that came with the message and cannot be read.
base::awaitable<bool> hear_recording(
    execution_input& input,
    conversation& heard_in,
    queue::workflow steps,
    node_services const& services,
    budget_reservations* reservations
);

} // namespace postrider::agent::flow
