#pragma once
// What the configured servers of the Model Context Protocol offer, asked of them now. For `mcp tools`,
// `check --online` and `doctor`.
#include "agent/mcp/server_options.hpp"
#include "server/cli/command.hpp"
#include "server/cli/finding.hpp"
#include "storage/stores/refused_tools.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace postrider::cli {

struct mcp_offer {
    agent::mcp::agreement agreed;
    agent::mcp::tool_list list;
    std::string diagnostics; // of a server that failed
    std::optional<base::error> failure;
};

using mcp_servers = std::map<std::string, agent::mcp::server_options, std::less<>>;
using mcp_offers = std::map<std::string, mcp_offer, std::less<>>; // by server

// All at once: the slowest one is waited for, not their sum. A server that takes longer than
// `patience` has failed with errc::timeout.
base::awaitable<mcp_offers> ask_mcp_servers(
    net::http_client& http, mcp_servers servers, base::duration patience
);

// Asks all of them, waits ten seconds at most, and describes them. Blocking.
findings look_at_mcp(
    mcp_servers const& servers, std::vector<storage::refused_tool_row> const& refused
);

// What fails is told by the command, and not by the log as well.
void keep_log_quiet(context const& in);

// One line for each server: reachable, its revision, its tools, and which of them models do not get in
// full. Secrets of the configuration are left out of what a server said. Pure.
findings describe_mcp(
    mcp_offers const& offers,
    mcp_servers const& servers,
    std::vector<storage::refused_tool_row> const& refused
);

} // namespace postrider::cli
