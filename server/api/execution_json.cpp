#include "server/api/execution_json.hpp"

#include "agent/flow/watch/events.hpp"
#include "agent/flow/watch/redaction.hpp"
#include "base/time_slice.hpp"
#include "server/views/job_json.hpp"
#include "server/views/json_values.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace postrider::api {

namespace {

namespace json = boost::json;
namespace flow = agent::flow;

constexpr std::size_t most_shown = 4u << 20; // of all nodes together
constexpr std::size_t least_shown = 256;

json::value shown(flow::items const& some, std::size_t bytes) {
    json::array all;
    for (auto const& item : some) all.push_back(item.json);
    return flow::redacted(all, bytes);
}

json::object shown(flow::outputs const& outputs, std::size_t bytes) {
    json::object all;
    for (auto const& [port, some] : outputs) all[port] = shown(some, bytes);
    return all;
}

using node_tries = std::map<std::string_view, std::int64_t>;

// By node: the most tries that one of its steps took.
node_tries tries_of(std::vector<queue::step_summary> const& steps) {
    node_tries most;
    for (auto const& step : steps) {
        if (!queue::part_of_the_run(step)) continue;
        auto& tries = most[std::string_view(step.key).substr(0, step.key.find('/'))];
        tries = std::max(tries, step.attempt);
    }
    return most;
}

// Null: none.
json::object const* pinned_in(json::value const& input) {
    auto const* members = input.if_object();
    auto const* pinned = members ? members->if_contains("pinned") : nullptr;
    return pinned ? pinned->if_object() : nullptr;
}

json::value position_json(flow::node const& node) {
    if (!node.position) return nullptr;
    return json::array{node.position->first, node.position->second};
}

json::object node_json(
    flow::compiled_node const& compiled,
    flow::node_trace const& trace,
    bool is_pinned,
    std::int64_t tries,
    std::size_t bytes
) {
    auto const& node = *compiled.node;
    auto const schema = compiled.type ? compiled.type->parameters : json::object{};
    return {
        {"node", node.id},
        {"name", node.name},
        {"type", node.type},
        {"position", position_json(node)},
        {"state", flow::to_string(trace.state)},
        {"pinned", is_pinned},
        {"began_ms", server::ms_or_null(trace.began)},
        {"ended_ms", server::ms_or_null(trace.ended)},
        {"tries", tries},
        {"parameters", flow::redacted_parameters(node.parameters, schema)},
        {"input", shown(trace.input, bytes)},
        {"outputs", shown(trace.output, bytes)},
        {"error", trace.failure ? json::value(flow::to_json(*trace.failure)) : json::value()},
        {"metadata", flow::redacted(trace.metadata, bytes)}};
}

json::array texts(std::vector<std::string> const& strings) {
    return json::array(strings.begin(), strings.end());
}

} // namespace

json::object to_json(server::execution_summary const& execution) {
    auto object = server::job_json(execution.job);
    object["flow"] = execution.flow;
    object["version"] = server::or_null(execution.version);
    object["current_version"] = server::or_null(execution.current_version);
    object["trigger"] = execution.trigger;
    object["trial"] = execution.trial;
    object["stopped"] = execution.stopped;
    return object;
}

base::awaitable<json::array> nodes_json(
    flow::graph const& graph,
    flow::trace const& trace,
    queue::recording const& record,
    base::clock& clock
) {
    base::time_slice slice(clock);
    auto const parts = 3 * std::max<std::size_t>(trace.nodes.size(), 1);
    auto const bytes = std::clamp(most_shown / parts, least_shown, flow::shown_bytes);
    auto const tries = tries_of(record.details.steps);
    auto const* pinned = pinned_in(record.job.input);
    json::array nodes;
    for (std::size_t i = 0; i < trace.nodes.size(); ++i) {
        if (slice.is_over()) co_await slice.yield();
        auto const& compiled = graph.nodes()[i];
        auto const tried = tries.find(compiled.node->id);
        auto const most = tried == tries.end() ? 0 : tried->second;
        bool const is_pinned = pinned && pinned->contains(compiled.node->name);
        nodes.push_back(node_json(compiled, trace.nodes[i], is_pinned, most, bytes));
    }
    co_return nodes;
}

json::array connections_json(flow::graph const& graph, flow::trace const& trace) {
    auto const& definition = graph.flow();
    std::vector<std::size_t> items(definition.connections.size());
    for (auto const& happened : trace.happened)
        if (happened.kind == flow::happening::sort::connection_used)
            items.at(happened.at) += happened.items;
    json::array connections;
    for (std::size_t i = 0; i < items.size(); ++i) {
        auto const& connection = definition.connections[i];
        connections.push_back(json::object{
            {"type", connection.type},
            {"from", definition.nodes[connection.from].id},
            {"output", connection.output},
            {"to", definition.nodes[connection.to].id},
            {"input", connection.input},
            {"items", items[i]}});
    }
    return connections;
}

json::object totals_json(queue::recording const& record) {
    auto const& job = record.details.job;
    std::chrono::microseconds acted{0};
    std::int64_t steps = 0;
    for (auto const& step : record.details.steps) {
        if (!queue::part_of_the_run(step)) continue;
        if (!flow::waited(step)) acted += step.took;
        ++steps;
    }
    return {
        {"took_ms", server::in_ms(job.took)},
        {"acted_ms", server::in_ms(acted)},
        {"tries", steps},
        {"tokens_in", job.tokens_in.value_or(0)},
        {"tokens_out", job.tokens_out.value_or(0)}};
}

json::object departures_json(flow::retraced const& retraced) {
    return {{"missing", texts(retraced.missing)}, {"unasked", texts(retraced.unasked)}};
}

} // namespace postrider::api
