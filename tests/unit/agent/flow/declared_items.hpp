#pragma once
// Real items against what their node type declares of its outputs.
#include "agent/flow/node_run.hpp"
#include "agent/flow/node_type.hpp"

namespace postrider::tests {

// Fails the running test where an item that came out of the node does not fit the declaration.
// `input`: what came in.
void expect_declared(
    agent::flow::node_type const& type,
    agent::flow::node const& node,
    agent::flow::items const& input,
    agent::flow::outputs const& output
);

} // namespace postrider::tests
