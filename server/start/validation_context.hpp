#pragma once
// What flows may refer to by name: credentials are never in a flow, they are in the configuration.
#include "agent/flow/validate/validate.hpp"
#include "server/start/config.hpp"

namespace postrider::server {

// Whatever the configuration names; without a bot those of the database are meant (flow::with_flows).
agent::flow::validation_context validation_context_of(config const& settings);

// The flows that answer for the bots, if they are flows: each bot's `agent`; without a bot that of
// the demo's.
std::vector<std::string> agents_of(config const& settings);

} // namespace postrider::server
