#pragma once
// Node types for a terminal. Pure.
#include "agent/flow/node_type.hpp"

#include <string>
#include <vector>

namespace postrider::cli {

// A line each.
std::string to_text(std::vector<agent::flow::node_type const*> const& types);
// What it does, its ports and its parameters.
std::string to_text(agent::flow::node_type const& type);

} // namespace postrider::cli
