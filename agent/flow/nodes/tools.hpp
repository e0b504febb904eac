#pragma once
// Tools as nodes. A model knows a tool by the node's parameter `name`, where it is not written by
// that parameter's default.
#include "agent/flow/node_run.hpp"

namespace postrider::agent::flow {

// nodes/tool_*.cpp describe their parameters.
base::result<ai_part> make_calculator_tool(part_run const& run);
base::result<ai_part> make_current_time_tool(part_run const& run);
base::result<ai_part> make_flow_tool(part_run const& run);

} // namespace postrider::agent::flow
