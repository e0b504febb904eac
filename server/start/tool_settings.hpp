#pragma once
// What an operator says of tools: [tools.NAME] of the configuration. The risk is every tool's; the
// other rows are those that the tools have themselves (agent/tools/tool.hpp).
#include "server/start/config.hpp"

#include <string>
#include <vector>

namespace postrider::server {

// Live as long as the program.
std::vector<base::setting> const& tool_rows();

// Fills in tools: those of the table that have rows, and those that the file names. Tells what no
// single row can.
void read_tools(base::settings const& settings, config& into, std::vector<std::string>& problems);

} // namespace postrider::server
