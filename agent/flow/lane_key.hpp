#pragma once
// The lane of an execution, where a flow's settings give one: an expression over what started it.
#include "agent/flow/document/definition.hpp"
#include "base/random.hpp"

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

// The lane of an execution that no chat stands behind: as lane_key(), or one of its own, so that
// executions run side by side. With a mailbox and no lane they share one, "flow:NAME".
std::string lane_or_own(
    definition const& flow, boost::json::value item, base::random_source& random
);

// Whether the key is of a lane that one execution has for itself, so that nobody names it again.
bool is_own_lane(std::string_view key);

} // namespace postrider::agent::flow
