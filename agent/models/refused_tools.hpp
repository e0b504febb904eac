#pragma once
// Private to agent/models: a tool for which a server refuses a request. Pure.
#include "agent/models/model.hpp"

namespace postrider::agent {

// The tool that the failure speaks of: by its name between quotation marks or behind the word "tool" or
// "function", or by its place among those that were sent. Null: it speaks of none.
tool_spec const* find_refused_tool(tool_list const& tools, base::error const& failure);

// The list without those tools.
tool_list without_tools(
    tool_list const& tools, std::function<bool(tool_spec const&)> const& is_left_out
);

} // namespace postrider::agent
