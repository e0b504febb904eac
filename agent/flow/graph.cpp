#include "agent/flow/graph.hpp"

#include "agent/flow/parameters.hpp"

namespace postrider::agent::flow {

namespace {

// With the type's defaults, which may be expressions. Of a disabled node they may be wrong; they
// are not evaluated.
parameter_template parameters_of(node const& from, node_type const* type) {
    auto written = from.parameters;
    if (type) fill_defaults(written, *type);
    auto made = parameter_template::compile(written, from_ai::allowed);
    if (made) return *made;
    return *parameter_template::compile(boost::json::object());
}

} // namespace

std::variant<std::shared_ptr<graph const>, std::vector<problem>> graph::compile(
    definition flow, catalog const& types, surroundings const& around
) {
    auto problems = validate(flow, types, around);
    if (any_error(problems)) return problems;
    return std::shared_ptr<graph const>(new graph(std::move(flow), types));
}

graph::graph(definition flow, catalog const& types)
    : flow_(std::move(flow)),
      lane_(*parameter_template::compile(boost::json::value(flow_.settings.lane))) {
    for (auto const& one : flow_.nodes) {
        auto const* type = types.find(one.type, one.type_version);
        if (type && is_trigger(*type) && !one.disabled) triggers_.push_back(nodes_.size());
        nodes_.push_back({.node = &one, .type = type, .parameters = parameters_of(one, type)});
    }
    for (std::size_t i = 0; i < flow_.connections.size(); ++i) {
        auto const& one = flow_.connections[i];
        if (one.kind == connection_kind::main) {
            nodes_[one.from].main_outputs.push_back(i);
            nodes_[one.to].main_inputs.push_back(i);
        } else if (!flow_.nodes[one.from].disabled) {
            nodes_[one.to].parts.push_back(one.from);
        }
    }
}

} // namespace postrider::agent::flow
