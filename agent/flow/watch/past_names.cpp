#include "agent/flow/watch/past_names.hpp"

#include "agent/flow/run/names.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

json::object names_at(
    graph const& flow,
    trace const& history,
    queue::job const& job,
    node_services const& services,
    std::size_t node
) {
    auto const& input = history.nodes[node].input;
    json::object names;
    if (!input.empty()) names["json"] = *input.front().json;
    names["input"] = array_of(input);
    json::object nodes;
    for (std::size_t at = 0; at < history.nodes.size(); ++at) {
        if (!flow.nodes()[node].before[at]) continue;
        auto value = node_value(history.nodes[at].output, flow.nodes()[at].output_order);
        if (!value.is_null()) nodes[flow.nodes()[at].node->name] = std::move(value);
    }
    names["nodes"] = std::move(nodes);
    names["now"] = base::to_iso8601(services.clock.now());
    auto const from = execution_input_from(job.input);
    if (!from) return names;
    names["session"] = session_of(job, *from);
    names["execution"] = execution_of(job, *from);
    names["vars"] = agent_of(flow, services, *from).variables;
    return names;
}

} // namespace postrider::agent::flow
