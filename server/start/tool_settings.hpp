#pragma once
// What an operator says of tools: [tools.NAME] of the configuration.
#include "server/start/config.hpp"

#include <string>
#include <vector>

namespace postrider::server {

std::vector<base::setting> tool_rows();

// Fills in tools, and tells what no single row can.
void read_tools(base::settings const& from, config& into, std::vector<std::string>& problems);

} // namespace postrider::server
