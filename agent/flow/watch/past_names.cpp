#include "agent/flow/watch/past_names.hpp"

#include "agent/flow/run/names.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

json::object names_at(
    graph const& flow,
    trace const& seen,
    queue::job const& job,
    node_services const& services,
    std::size_t node
) {
    auto const& input = seen.nodes[node].input;
    json::object made;
    if (!input.empty()) made["json"] = input.front().json;
    made["input"] = array_of(input);
    json::object nodes;
    for (std::size_t at = 0; at < seen.nodes.size(); ++at)
        if (auto value = node_value(seen.nodes[at].made); !value.is_null())
            nodes[flow.nodes()[at].node->name] = std::move(value);
    made["nodes"] = std::move(nodes);
    made["now"] = base::to_iso8601(services.clock.now());
    auto const from = execution_input_from(job.input);
    if (!from) return made;
    made["session"] = session_of(job, *from);
    made["execution"] = execution_of(job, *from);
    made["vars"] = agent_of(flow, services, *from).variables;
    return made;
}

} // namespace postrider::agent::flow
