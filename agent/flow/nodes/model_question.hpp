#pragma once
// One question to the models that hang on a node, without tools, memory and a conversation, which another decision can do without.
//
// Guarantees as an agent does that a call is reserved, audited and paid once, and recorded as a step under the model's name. The
// models are asked in their order, each for no longer than one call may take; nobody waits for a breaker.
#include "agent/flow/node_run.hpp"

#include <boost/json/object.hpp>

#include <chrono>

namespace postrider::agent::flow {

// `agent`: parameters as agent.json describes them, with a schema. The answer fits it. An error: no model is connected, or none
// of them answered; invalid: the last one did not answer with such JSON.
base::awaitable<base::result<boost::json::value>> ask_models(
    node_run& run,
    std::size_t item,
    boost::json::object agent,
    std::chrono::milliseconds longest_call
);

} // namespace postrider::agent::flow
