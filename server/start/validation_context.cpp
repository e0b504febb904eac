#include "server/start/validation_context.hpp"

#include "agent/models/provider.hpp"

namespace postrider::server {

agent::flow::validation_context validation_context_of(config const& from) {
    agent::flow::validation_context context;
    for (auto const& [name, entry] : from.models) {
        context.models.push_back(name);
        context.providers.emplace(name, agent::nodes_of(entry));
    }
    for (auto const& bot : from.bots) context.bots.push_back(bot.name);
    for (auto const& secret : from.secrets) context.secrets.push_back(secret.first);
    return context;
}

std::vector<std::string> agents_of(config const& from) {
    if (from.bots.empty()) return {std::string(demo_agent)};
    std::vector<std::string> all;
    for (auto const& bot : from.bots) all.push_back(bot.agent);
    return all;
}

} // namespace postrider::server
