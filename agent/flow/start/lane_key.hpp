#pragma once
// The lane of an execution, where a flow's settings give one: an expression over what started it.
#include "agent/flow/document/definition.hpp"

#include <boost/json/value.hpp>

#include <array>
#include <string>
#include <string_view>

namespace postrider::agent::flow {

// What the expression can name: there is no execution yet.
inline constexpr std::array<std::string_view, 2> lane_names{"$json", "$vars"};

// "flow:NAME:" and what settings.lane comes to for the trigger's item; of what is longer than 200
// bytes or has a NUL, its SHA-256. "" where it comes to nothing, or cannot be evaluated: then the
// trigger's own lane is taken. Pure.
std::string lane_key(definition const& flow, boost::json::value item);

} // namespace postrider::agent::flow
