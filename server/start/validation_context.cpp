#include "server/start/validation_context.hpp"

#include "agent/models/provider.hpp"

namespace postrider::server {

agent::flow::validation_context validation_context_of(config const& from) {
    agent::flow::validation_context context;
    auto& names = context.names;
    for (auto const& [name, entry] : from.models) {
        names["model"].push_back(name);
        context.providers.emplace(name, agent::nodes_of(entry));
    }
    for (auto const& bot : from.bots) names["bot"].push_back(bot.name);
    for (auto const& secret : from.secrets) names["secret"].push_back(secret.first);
    for (auto const& entry : from.credentials) names["credential"].push_back(entry.first);
    for (auto const& server : from.mcp_servers) names["mcp_server"].push_back(server.first);
    return context;
}

std::vector<std::string> agents_of(config const& from) {
    if (from.bots.empty()) return {std::string(demo_agent)};
    std::vector<std::string> all;
    for (auto const& bot : from.bots) all.push_back(bot.agent);
    return all;
}

} // namespace postrider::server
