#pragma once
// Agents of published flows that have tools and a model that takes none: such an agent answers without
// its tools. As far as it is known beforehand; a server may still refuse them.
#include "server/start/config.hpp"
#include "storage/database.hpp"

#include <string>
#include <vector>

namespace postrider::server {

struct toolless_agent {
    std::string flow;
    std::string node;  // its name
    std::string entry; // of [models.NAME]
    std::string model; // "openai/gpt-4o"
    int tools = 0;     // nodes
};

// Throws as transaction::query() does.
std::vector<toolless_agent> toolless_agents(storage::transaction& tx, config const& settings);

} // namespace postrider::server
