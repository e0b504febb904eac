#include "agent/expression/template.hpp"
#include "agent/flow/inspection.hpp"
#include "agent/flow/lane_key.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

problem mistake(std::string_view path, parameter_error const& error) {
    return {
        .code = "expression",
        .path = fmt::format("{}{}", path, error.path),
        .message = to_text(error.error),
        .hint = "docs/expressions.md describes the language",
    };
}

class reference_check {
public:
    reference_check(inspection& in, std::size_t node)
        : in_(in),
          index_(node),
          node_(in.flow.nodes[node]) {}

    // Which parameter it is, is asked only when something is wrong.
    void check(expression_references const& all) {
        if (all.from_ai.empty() &&
            std::ranges::all_of(all.nodes, [&](auto const& name) { return before(name); }))
            return;
        for (auto const& [name, value] : node_.parameters) {
            auto const compiled = parameter_template::compile(value, from_ai::allowed);
            if (!compiled) continue;
            auto const path = below(node_.path + "/parameters", name);
            auto const within = compiled->references();
            for (auto const& other : within.nodes) check_node(path, other);
            if (!within.from_ai.empty()) check_from_ai(path, name);
        }
    }

private:
    bool before(std::string_view name) {
        auto const there = in_.node_of.find(name);
        if (there == in_.node_of.end()) return in_.unread.names;
        if (there->second == inspection::several || in_.unread.connections) return true;
        if (before_.empty()) before_ = runs_before(in_.flow, index_);
        return before_[there->second];
    }

    void check_node(std::string const& path, std::string const& name) {
        if (before(name)) return;
        if (in_.node_of.contains(name))
            in_.add(
                node_,
                {.code = "not_before",
                 .path = path,
                 .message = fmt::format("{} does not run before this node", in_quotes(name)),
                 .hint = "its items are not there then; connect it, or take them elsewhere",
                 .severity = severity::warning}
            );
        else
            in_.add(
                node_,
                {.code = "unknown_node",
                 .path = path,
                 .message =
                     fmt::format("$node names {}, which is not in the flow", in_quotes(name)),
                 .hint = in_.problems.full() ? "" : hint_for(name, names())}
            );
    }

    void check_from_ai(std::string const& path, std::string_view parameter) {
        auto const* type = in_.type_of[index_];
        if (!type) return;
        auto const* property =
            type->parameters.at("properties").get_object().if_contains(parameter);
        if (!property || property->get_object().contains("x-from-ai")) return;
        in_.add(
            node_,
            {.code = "from_ai_not_allowed",
             .path = path,
             .message = "no model gives this parameter",
             .hint = "$from_ai is for what a tool is called with"}
        );
    }

    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (auto const& one : in_.flow.nodes) all.push_back(one.name);
        return all;
    }

    inspection& in_;
    std::size_t index_;
    node const& node_;
    std::vector<bool> before_;
};

// The lane is chosen before there is an execution.
void check_lane(inspection& in) {
    constexpr std::string_view path = "/settings/lane";
    auto const lane = parameter_template::compile(json::value(in.flow.settings.lane));
    if (!lane) {
        for (auto const& error : lane.error()) in.problems.add(mistake(path, error));
        return;
    }
    auto asked = lane->references();
    if (!asked.nodes.empty()) asked.variables.emplace_back("$node");
    for (auto const& name : asked.variables) {
        if (std::ranges::find(lane_names, name) != lane_names.end()) continue;
        in.problems.add({
            .code = "not_yet",
            .path = std::string(path),
            .message = fmt::format("{} is not there yet when the lane is chosen", name),
            .hint = fmt::format("what it can name: {}", fmt::join(lane_names, ", ")),
        });
    }
}

} // namespace

void check_expressions(inspection& in, std::size_t node) {
    auto const& one = in.flow.nodes[node];
    auto const compiled = parameter_template::compile(one.parameters, from_ai::allowed);
    if (compiled) return reference_check(in, node).check(compiled->references());
    for (auto const& error : compiled.error())
        in.add(one, mistake(one.path + "/parameters", error));
}

void check_settings(inspection& in) {
    check_lane(in);
    auto const& wanted = in.flow.settings.error_flow;
    auto const& flows = in.around.flows;
    if (!wanted.empty() && !flows.empty() && std::ranges::find(flows, wanted) == flows.end())
        in.problems.add({
            .code = "unknown_flow",
            .path = "/settings/error_flow",
            .message = fmt::format("there is no flow {}", in_quotes(wanted)),
            .hint = hint_for(wanted, flows),
        });
}

} // namespace postrider::agent::flow
