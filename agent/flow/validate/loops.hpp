#pragma once
// The loops of a flow: which connections lead back, and which nodes are repeated. Pure.
#include "agent/flow/document/definition.hpp"
#include "agent/flow/node_type.hpp"

#include <vector>

namespace postrider::agent::flow {

// The connection brings items back to the node of that type, for a next round of its loop.
bool leads_back(connection const& connection, node_type const& target) noexcept;

// By node: items come to it from the output that leads into the loop's body, without a way back. The
// types are by node, null = unknown.
std::vector<bool> body_of(
    definition const& flow, std::vector<node_type const*> const& types, std::size_t loop
);

} // namespace postrider::agent::flow
