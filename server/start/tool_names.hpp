#pragma once
// [tools.NAME] of the configuration that no tool answers to. Mostly the name is misspelt, and then
// the risk that was meant does not hold.
#include "server/start/config.hpp"
#include "storage/database.hpp"

#include <string>
#include <vector>

namespace postrider::server {

// What the tools of published flows are called. Throws as transaction::query() does.
std::vector<std::string> tools_of_flows(storage::transaction& tx);

struct unknown_tool {
    std::string name;
    std::string nearest; // a name that was perhaps meant; "" = none is near
};

// The built-in tools and those of the configured MCP servers are known anyway. Pure.
std::vector<unknown_tool> unknown_tools(config const& settings, std::vector<std::string> of_flows);

} // namespace postrider::server
