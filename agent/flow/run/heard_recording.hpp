#pragma once
// A person's voice message as words.
//
// Guarantees that it is written down once, in the recorded step "transcript", paid from the budgets as one call at
// the price of its minutes, and that the words stand in the message's row with the same commit, as the call does in
// the audit. Private to execution.cpp.
#include "agent/flow/chat/conversation.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/audit_trail.hpp"
#include "agent/flow/run/budget_reservations.hpp"

namespace postrider::agent::flow {

// Gives the conversation the words of the message that the input has heard, where it is spoken. False: it could not
// be written down, and the input says so as of anything that came with the message and cannot be read. Fails where
// a budget is empty: nothing else of the execution would be paid then.
base::awaitable<base::result<bool>> hear_recording(
    execution_input& input,
    conversation& heard_in,
    queue::workflow steps,
    node_services const& services,
    budget_reservations* reservations,
    audit_trail& audit
);

} // namespace postrider::agent::flow
