#include "server/views/toolless_agents.hpp"

#include "agent/flow/document/definition.hpp"
#include "agent/flow/parts/asked_models.hpp"
#include "agent/flow/parts/models.hpp"
#include "agent/flow/parts/tools.hpp"
#include "agent/models/provider.hpp"
#include "storage/stores/flows.hpp"

#include <set>

namespace postrider::server {

namespace {

namespace flow = agent::flow;

// The expression that every agent has its model by is the one that can be looked up.
std::vector<flow::asked_model> models_of(flow::node const& node, config const& settings) {
    auto models = flow::asked_models(node);
    if (models.empty() || models.front().entry.find("$vars.agent") == std::string::npos)
        return models;
    models.erase(models.begin());
    for (auto const& [name, agent] : settings.agents)
        for (auto const& model : agent.models) models.push_back({model});
    return models;
}

std::string toolless_name(flow::asked_model const& model, config const& settings) {
    auto const entry = settings.models.find(model.entry);
    return entry == settings.models.end() ? std::string()
                                          : agent::toolless_name(entry->second, model.name);
}

void look_at_agent(
    flow::definition const& flow,
    std::size_t agent,
    config const& settings,
    std::vector<toolless_agent>& agents
) {
    int tools = 0;
    std::set<std::pair<std::string, std::string>> listed;
    std::vector<flow::asked_model> models;
    for (auto const& connection : flow.connections) {
        auto const& part = flow.nodes[connection.from];
        if (connection.to != agent || part.disabled) continue;
        if (connection.type == flow::ai_tool.name) ++tools;
        if (connection.type != flow::ai_model.name) continue;
        for (auto& model : models_of(part, settings))
            if (listed.emplace(model.entry, model.name).second) models.push_back(std::move(model));
    }
    if (tools == 0) return;
    for (auto const& asked : models)
        if (auto name = toolless_name(asked, settings); !name.empty())
            agents.push_back(
                {flow.name, flow.nodes[agent].name, asked.entry, std::move(name), tools}
            );
}

} // namespace

std::vector<toolless_agent> toolless_agents(storage::transaction& tx, config const& settings) {
    std::vector<toolless_agent> agents;
    for (auto const& row : storage::list_published(tx)) {
        auto const text = storage::read_version(tx, row.name, row.version);
        if (!text) continue;
        auto read = flow::read_definition(*text);
        auto const* of = std::get_if<flow::definition>(&read);
        if (!of) continue;
        for (std::size_t i = 0; i < of->nodes.size(); ++i)
            if (of->nodes[i].type == "agent" && !of->nodes[i].disabled)
                look_at_agent(*of, i, settings, agents);
    }
    return agents;
}

} // namespace postrider::server
