#pragma once
// A model's question to the person whom an execution answers: the tool ask_user.
//
// The question is asked as telegram.ask asks: durable, with buttons where there are choices, and the
// job is parked meanwhile. An answer is a choice, pressed or in words; without choices it is whatever
// the person writes next. Any other message of theirs withdraws the question and has its own turn. The steps
// stand in the scope of the call's step.
#include "agent/flow/chat/node_question.hpp"

namespace postrider::agent::flow {

// The record has asked a question in that scope: it is asked for again at every run, whatever its tool has become.
bool has_asked(queue::workflow const& steps);

// The person's words. What is asked, and what is pressed, stands in the history at those places.
// refused: there is nobody to ask; stale: another message withdrew it; timeout: nobody answered; else as
// messenger::send(). Throws queue::not_here as deliver() does.
base::awaitable<queue::step_value> ask_person(
    node_run& run,
    queue::workflow steps,
    boost::json::value arguments,
    std::chrono::milliseconds timeout,
    asked_places places
);

} // namespace postrider::agent::flow
