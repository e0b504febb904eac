#include "agent/flow/watch/trial_plan.hpp"

#include "agent/flow/parts/models.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <vector>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using base::errc;
using base::error;

constexpr std::string_view agent_type = "agent";
constexpr std::string_view configured_model_type = "model";

struct tried_agent {
    std::size_t node_index;
    agent_record record;
};

std::vector<tried_agent> agents_that_ran(definition const& flow, queue::job_details const& record) {
    std::vector<tried_agent> agents;
    for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
        if (flow.nodes[i].type != agent_type) continue;
        if (auto read = read_agent_record(record, flow.nodes[i].id))
            agents.push_back({i, std::move(*read)});
    }
    return agents;
}

base::result<tried_agent> choose_agent(
    definition const& flow, queue::job_details const& record, std::string const& node
) {
    auto agents = agents_that_ran(flow, record);
    if (!node.empty()) {
        auto const index = flow.find(node);
        std::erase_if(agents, [&](auto const& agent) { return agent.node_index != index; });
    }
    if (agents.size() == 1) return std::move(agents.front());
    if (agents.empty())
        return error(
            errc::not_found,
            node.empty() ? "no agent of this execution asked a model"
                         : "no agent " + node + " asked a model in this execution"
        );
    std::vector<std::string_view> names;
    for (auto const& agent : agents) names.push_back(flow.nodes[agent.node_index].name);
    return error(
        errc::invalid, fmt::format("several agents ran: name one of {}", fmt::join(names, ", "))
    );
}

json::object& node_at(json::object& document, std::size_t index) {
    return document.at("nodes").get_array().at(index).get_object();
}

json::object& parameters_of(json::object& node) {
    auto& parameters = node["parameters"];
    if (!parameters.is_object()) parameters.emplace_object();
    return parameters.get_object();
}

// The agent's first model becomes that one, and answers alone.
void change_model(
    json::object& document, definition const& flow, std::size_t agent, std::string const& name
) {
    json::array connections;
    bool is_first = true;
    for (std::size_t i = 0; i < flow.connections.size(); ++i) {
        auto const& connection = flow.connections[i];
        bool const is_model = connection.type == ai_model.name && connection.to == agent;
        if (is_model && !std::exchange(is_first, false)) continue;
        connections.push_back(document.at("connections").get_array().at(i));
        if (!is_model) continue;
        auto& node = node_at(document, connection.from);
        node["type"] = configured_model_type;
        node.erase("type_version");
        node["parameters"] = json::object{{"model", name}};
    }
    document["connections"] = std::move(connections);
}

} // namespace

base::result<trial_plan> plan_trial(
    definition const& flow, queue::recording const& record, trial_request const& request
) {
    if (!request.model && !request.system_prompt)
        return error(errc::invalid, "name another model, or write another system prompt");
    auto agent = choose_agent(flow, record.details, request.node);
    if (!agent) return agent.error();
    auto document = flow.document;
    if (request.system_prompt)
        parameters_of(node_at(document, agent->node_index))["system_prompt"] =
            *request.system_prompt;
    if (request.model) change_model(document, flow, agent->node_index, *request.model);
    trial tried{record.job.id, flow.nodes[agent->node_index].id, {}};
    for (auto const& call : agent->record.calls) tried.calls.push_back(to_json(call));
    trial_plan plan{.from_step = agent->record.first_step, .input = {}, .document = document};
    plan.input["version"] = 0;
    plan.input["document"] = std::move(document);
    plan.input["trial"] = to_json(tried);
    return plan;
}

} // namespace postrider::agent::flow
