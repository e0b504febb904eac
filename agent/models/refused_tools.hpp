#pragma once
// Private to agent/models: a tool for which a server refuses a request. Pure.
#include "agent/models/errors.hpp"
#include "agent/models/model.hpp"

namespace postrider::agent {

// The tool that a refusal speaks of: by its name, or by its place among those that were sent. A name that may be
// a usual word, or that is written in another way, counts only between quotation marks or brackets, and behind a
// word such as "tool", "function" or "for". Null: it speaks of none.
tool_spec const* find_refused_tool(tool_list const& tools, refusal_words const& said);

// It is about the schema of some tool, or may be, and not about calls or the form of the answer.
bool refuses_a_schema(refusal_words const& said);

// The list without those tools.
tool_list without_tools(
    tool_list const& tools, std::function<bool(tool_spec const&)> const& is_left_out
);

} // namespace postrider::agent
