#pragma once
// The agent loop as a node: model, tools and memory hang on it.
#include "agent/flow/node_run.hpp"

namespace postrider::agent::flow {

// agent.json describes its parameters.
base::awaitable<base::result<outputs>> run_agent(node_run& run);

} // namespace postrider::agent::flow
