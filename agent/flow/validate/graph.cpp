#include "agent/flow/validate/graph.hpp"

#include "agent/flow/parameters.hpp"
#include "agent/flow/validate/loops.hpp"

#include <algorithm>
#include <set>

namespace postrider::agent::flow {

namespace {

// With the type's defaults, which may be expressions. Of a disabled node they may be wrong; they
// are not evaluated.
parameter_template template_of(node const& owner, node_type const* type) {
    auto written = owner.parameters;
    if (type) fill_defaults(written, *type);
    auto markup = type ? markup_of(*type) : markup_rule{};
    auto compiled = parameter_template::compile(written, from_ai::allowed, {}, std::move(markup));
    if (compiled) return *compiled;
    return *parameter_template::compile(boost::json::object());
}

struct no_names final : scope {
    boost::json::value const* variable(std::string_view) const override { return nullptr; }
    boost::json::value const* node(std::string_view) const override { return nullptr; }
};

std::optional<boost::json::object> fitted(
    parameter_template const& constant, node_type const& type, catalog const& types
) {
    auto value = constant.evaluate(no_names{});
    if (!value || !value->is_object()) return std::nullopt;
    auto values = fit_parameters(std::move(value->get_object()), type, types);
    if (!values) return std::nullopt;
    return std::move(*values);
}

// A disabled node may have two outputs of one name.
std::vector<std::string> output_order(node_type const& type, node const& of) {
    std::vector<std::string> names;
    for (auto& port : outputs_of(type, of))
        if (std::ranges::find(names, port.name) == names.end())
            names.push_back(std::move(port.name));
    return names;
}

void add_all(std::vector<bool>& sum, std::vector<bool> const& more) {
    for (std::size_t at = 0; at < more.size(); ++at)
        if (more[at]) sum[at] = true;
}

} // namespace

std::variant<std::shared_ptr<graph const>, std::vector<problem>> graph::compile(
    definition flow, catalog const& types, validation_context const& context
) {
    auto problems = validate(flow, types, context, purpose::running);
    if (any_error(problems)) return problems;
    return std::shared_ptr<graph const>(new graph(std::move(flow), types));
}

graph::graph(definition flow, catalog const& types) : flow_(std::move(flow)), types_(types) {
    for (auto const& node : flow_.nodes) {
        auto const* type = types.find(node.type, node.type_version);
        if (type && is_trigger(*type) && !node.disabled) triggers_.push_back(nodes_.size());
        nodes_.push_back({.node = &node, .type = type, .parameters = template_of(node, type)});
        auto& compiled = nodes_.back();
        if (type) compiled.output_order = output_order(*type, node);
        if (type && !type->outputs.empty()) compiled.first_output = compiled.output_order.front();
        auto const& parameters = compiled.parameters;
        auto const asked = parameters.references();
        if (std::ranges::count(asked.variables, "$now")) asks_for_the_time_ = true;
        if (type && parameters.constant()) compiled.fitted = fitted(parameters, *type, types);
        compiled.settled_by_agent = asked.variables == std::vector<std::string>{"$vars"} &&
                                    asked.nodes.empty() && asked.from_ai.empty();
    }
    link();
    rank_nodes();
    find_bodies();
}

void graph::link() {
    for (std::size_t i = 0; i < flow_.connections.size(); ++i) {
        auto const& connection = flow_.connections[i];
        auto const* target = nodes_[connection.to].type;
        if (target && leads_back(connection, *target)) {
            nodes_[connection.from].back_outputs.push_back(i);
            nodes_[connection.to].returns.push_back(i);
        } else if (connection.carries_items()) {
            nodes_[connection.from].main_outputs.push_back(i);
            nodes_[connection.to].main_inputs.push_back(i);
        } else if (!flow_.nodes[connection.from].disabled) {
            nodes_[connection.to].parts.push_back(connection.from);
        }
    }
}

void graph::find_bodies() {
    std::vector<node_type const*> types;
    for (auto const& node : nodes_) types.push_back(node.type);
    std::vector<std::size_t> loops;
    for (std::size_t at = 0; at < nodes_.size(); ++at) {
        if (!types[at] || body_output(*types[at]).empty()) continue;
        nodes_[at].body_output = body_output(*types[at]);
        loops.push_back(at);
    }
    // An inner loop runs behind the outer one that leads to it.
    std::ranges::sort(loops, {}, [this](std::size_t at) { return nodes_[at].rank; });
    for (auto const loop : loops) {
        auto const members = body_of(flow_, types, loop);
        for (std::size_t at = 0; at < nodes_.size(); ++at) {
            if (!members[at]) continue;
            nodes_[loop].body.push_back(at);
            nodes_[at].loops.push_back(loop);
        }
    }
}

// Without what leads back into loops, a valid flow has no circle.
void graph::rank_nodes() {
    std::vector<std::size_t> open(nodes_.size());
    std::set<std::size_t> ready;
    for (std::size_t at = 0; at < nodes_.size(); ++at) {
        open[at] = nodes_[at].main_inputs.size();
        if (open[at] == 0) ready.insert(at);
    }
    for (std::size_t rank = 0; !ready.empty(); ++rank) {
        auto const at = *ready.begin();
        ready.erase(ready.begin());
        nodes_[at].rank = rank;
        note_what_leads_to(at);
        for (auto via : nodes_[at].main_outputs) {
            auto const to = flow_.connections[via].to;
            if (--open[to] == 0) ready.insert(to);
        }
    }
}

// Nodes come here in the order of their ranks: of what leads to this one it is known already.
void graph::note_what_leads_to(std::size_t node) {
    auto& before = nodes_[node].before;
    before.resize(nodes_.size());
    for (auto via : nodes_[node].main_inputs) {
        auto const from = flow_.connections[via].from;
        before[from] = true;
        add_all(before, nodes_[from].before);
    }
}

} // namespace postrider::agent::flow
