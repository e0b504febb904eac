#include "server/views/toolless_agents.hpp"

#include "agent/flow/document/definition.hpp"
#include "agent/flow/parts/models.hpp"
#include "agent/flow/parts/tools.hpp"
#include "agent/models/provider.hpp"
#include "base/json/json.hpp"
#include "storage/stores/flows.hpp"

#include <boost/json/array.hpp>

#include <set>

namespace postrider::server {

namespace {

namespace flow = agent::flow;

struct named_model {
    std::string entry;
    std::string name = {}; // "" = the entry's

    auto operator<=>(named_model const&) const = default;
};

// Text of an expression is none that can be looked up, but for the one that every agent has its models
// by.
std::vector<named_model> models_of(flow::node const& node, config const& settings) {
    boost::json::value const all = node.parameters;
    base::json_reader const parameters{all};
    if (node.type != "model") {
        auto const entry = parameters["credential"].string_or("");
        auto name = parameters["model"].string_or("");
        if (name.find("{{") != name.npos) return {};
        return std::vector{named_model{entry, std::move(name)}};
    }
    std::vector<named_model> models;
    auto const entry = parameters["model"].string_or("default");
    if (entry.find("$vars.agent") != entry.npos)
        for (auto const& [name, agent] : settings.agents)
            for (auto const& model : agent.models) models.push_back({model});
    else
        models.push_back({entry});
    for (auto const& backup : parameters["backups"].items_or_none())
        models.push_back({backup.string_or("")});
    return models;
}

// What takes no tools, by "provider/name"; "" = it takes them, or nothing is known of it.
std::string toolless_name(named_model const& model, config const& settings) {
    auto const entry = settings.models.find(model.entry);
    if (entry == settings.models.end()) return {};
    auto const& options = entry->second;
    auto const& owner = *agent::find_provider(options.provider);
    std::string_view name = model.name.empty() ? std::string_view(options.model) : model.name;
    if (name.empty()) name = owner.default_model;
    auto const* model_facts = agent::find_known_model(owner, name);
    bool const takes_tools = options.takes_tools.value_or(!model_facts || model_facts->tools);
    return takes_tools ? std::string() : options.provider + "/" + std::string(name);
}

void look_at_agent(
    flow::definition const& flow,
    std::size_t agent,
    config const& settings,
    std::vector<toolless_agent>& agents
) {
    int tools = 0;
    std::set<named_model> models;
    for (auto const& connection : flow.connections) {
        auto const& part = flow.nodes[connection.from];
        if (connection.to != agent || part.disabled) continue;
        if (connection.type == flow::ai_tool.name) ++tools;
        if (connection.type != flow::ai_model.name) continue;
        for (auto& model : models_of(part, settings)) models.insert(std::move(model));
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
