#pragma once
// What an operator says of a tool: [tools.NAME] of the configuration. It goes before what the tool
// says of itself; flows and models do not reach it.
#include "agent/tools/risk.hpp"
#include "base/secret.hpp"

#include <optional>
#include <string>
#include <vector>

namespace postrider::agent {

struct tool_configuration {
    std::optional<agent::risk> risk = {};        // of every call
    std::vector<std::string> allowed_hosts = {}; // net/host_pattern.hpp; empty = any public one
    std::string url = {};                        // of the service behind it; "" = its usual one
    std::optional<base::secret> api_key = {};    // for that service

    bool operator==(tool_configuration const&) const = default;
};

} // namespace postrider::agent
