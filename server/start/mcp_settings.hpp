#pragma once
// The servers of the Model Context Protocol in the configuration: [mcp.NAME].
#include "server/start/config.hpp"

#include <string>
#include <vector>

namespace postrider::server {

std::vector<base::setting> mcp_rows();

// Fills in mcp_servers, and tells what no single row can. The secrets are there already.
void read_mcp_servers(
    base::settings const& settings, config& into, std::vector<std::string>& problems
);

} // namespace postrider::server
