#pragma once
// Tools as nodes: tool.NAME for each of the table of tools, with the tool's own settings. A model
// knows a tool by the node's parameter `name`; where it is not written, by the table's.
#include "agent/flow/node_type.hpp"

#include <vector>

namespace postrider::agent::flow {

std::vector<node_type> describe_tools();

} // namespace postrider::agent::flow
