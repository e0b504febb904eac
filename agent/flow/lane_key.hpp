#pragma once
// The lane of an execution, where a flow's settings give one: an expression over what started it.
#include "agent/flow/graph.hpp"

#include <boost/json/value.hpp>

#include <string>

namespace postrider::agent::flow {

// "flow:NAME:" and what settings.lane comes to for the trigger's item; "" where it comes to
// nothing, or cannot be evaluated: then the trigger's own lane is taken. Pure.
std::string lane_key(graph const& flow, boost::json::value item);

} // namespace postrider::agent::flow
