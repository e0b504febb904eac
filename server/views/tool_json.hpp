#pragma once
// Tools and the servers that offer them, as the API writes them: with the risk that a call has in the end,
// after the operator's [tools.NAME]. Pure.
#include "agent/mcp/server_options.hpp"
#include "agent/mcp/servers.hpp"
#include "agent/tools/tool.hpp"
#include "agent/tools/tool_configuration.hpp"
#include "storage/stores/mcp_tools.hpp"
#include "storage/stores/refused_tools.hpp"

#include <boost/json/object.hpp>

#include <map>
#include <string>
#include <vector>

namespace postrider::server {

using tool_configurations = std::map<std::string, agent::tool_configuration, std::less<>>;
using tool_refusals = std::vector<storage::refused_tool_row>; // by models

boost::json::object tool_json(
    agent::tool const& tool, tool_configurations const& configured, tool_refusals const& refused
);
// As it was agreed to; with what is offered instead where that waits for consent.
boost::json::object tool_json(
    storage::pinned_mcp_tool const& tool,
    tool_configurations const& configured,
    tool_refusals const& refused
);

// A server of the configuration, as this process last saw it. Its address is its origin alone, and its
// program has no arguments: those may hold secrets.
boost::json::object mcp_server_json(
    agent::mcp::server_options const& options,
    agent::mcp::server_state const& state,
    storage::mcp_tool_counts const& counts
);

} // namespace postrider::server
