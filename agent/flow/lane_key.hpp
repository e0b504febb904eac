#pragma once
// The lane of an execution, where a flow's settings give one: an expression over what started it.
#include "agent/flow/execution_input.hpp"
#include "agent/flow/graph.hpp"

#include <string>
#include <string_view>

namespace postrider::agent::flow {

// "flow:NAME:" and what settings.lane comes to for the message; "" where it comes to nothing, or
// cannot be evaluated: then the trigger's own lane is taken. Pure.
std::string lane_key(graph const& flow, heard_message const& heard, std::string_view text);

} // namespace postrider::agent::flow
