#pragma once
// Private to agent/models: a tool for which a server refuses a request. Pure.
#include "agent/models/model.hpp"

namespace postrider::agent {

// The tool that the words of a refusal speak of: by its name, or by its place among those that were sent. A name
// that may be a usual word counts only between quotation marks or brackets, and behind a word such as "tool",
// "function" or "for". Null: they speak of none.
tool_spec const* find_refused_tool(tool_list const& tools, std::string_view words);

// The list without those tools.
tool_list without_tools(
    tool_list const& tools, std::function<bool(tool_spec const&)> const& is_left_out
);

} // namespace postrider::agent
