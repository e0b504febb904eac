#pragma once
// The agent loop as a node: model, tools and memory hang on it.
#include "agent/flow/node_run.hpp"

namespace postrider::agent::flow {

// agent.json describes its parameters.
base::awaitable<base::result<outputs>> run_agent(node_run& run);

// For nodes that are agents of a kind: what the agent answered to each item, in their order. Its parameters,
// which agent.json describes, are made of the node's.
using agent_translation = std::function<boost::json::object(boost::json::object const& parameters)>;
base::awaitable<base::result<items>> answer_items(node_run& run, agent_translation translate);

} // namespace postrider::agent::flow
