#pragma once
// What an operator says of a tool: [tools.NAME] of the configuration. It goes before what the tool
// says of itself; flows and models do not reach it.
#include "agent/tools/risk.hpp"
#include "base/settings.hpp"

#include <optional>

namespace postrider::agent {

struct tool_configuration {
    std::optional<agent::risk> risk = {}; // of every call
    base::settings values = {};           // by the keys of tool::configuration
};

} // namespace postrider::agent
