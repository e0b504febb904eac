#include "server/start/validation_context.hpp"

#include "agent/models/provider.hpp"

#include <algorithm>

namespace postrider::server {

agent::flow::validation_context validation_context_of(config const& settings) {
    agent::flow::validation_context context;
    auto& names = context.names;
    for (auto const& [name, entry] : settings.models) {
        names["model"].push_back(name);
        context.providers.emplace(name, agent::nodes_of(entry));
    }
    for (auto const& bot : settings.bots) names["bot"].push_back(bot.name);
    for (auto const& secret : settings.secrets) names["secret"].push_back(secret.first);
    for (auto const& entry : settings.credentials) names["credential"].push_back(entry.first);
    for (auto const& server : settings.mcp_servers) names["mcp_server"].push_back(server.first);
    auto const has_owners = [](bot_config const& bot) { return !bot.allowlist.owners.empty(); };
    context.has_approvers = settings.bots.empty() || !settings.approvers.empty() ||
                            std::ranges::any_of(settings.bots, has_owners);
    context.toolless_model =
        [models = settings.models](std::string const& entry, std::string_view model) {
            auto const options = models.find(entry);
            return options == models.end() ? std::string()
                                           : agent::toolless_name(options->second, model);
        };
    return context;
}

std::vector<std::string> agents_of(config const& settings) {
    if (settings.bots.empty()) return {std::string(demo_agent)};
    std::vector<std::string> all;
    for (auto const& bot : settings.bots) all.push_back(bot.agent);
    return all;
}

} // namespace postrider::server
