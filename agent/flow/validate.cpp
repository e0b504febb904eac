#include "agent/flow/validate.hpp"

#include "agent/flow/inspection.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

void find_nodes(inspection& in) {
    for (std::size_t i = 0; i < in.flow.nodes.size(); ++i) {
        in.node_of.emplace(in.flow.nodes[i].id, i);
        in.node_of.emplace(in.flow.nodes[i].name, i);
    }
}

void find_types(inspection& in) {
    std::vector<std::string> names;
    for (auto const* type : in.types.all()) names.push_back(type->name);
    for (auto const& one : in.flow.nodes) {
        auto const* type = in.types.find(one.type, one.type_version);
        in.type_of.push_back(type);
        if (type) continue;
        auto const* newest = in.types.find(one.type);
        if (!newest)
            in.add(
                one,
                {.code = "unknown_type",
                 .path = below(one.path, "type"),
                 .message = fmt::format("there is no node type {}", in_quotes(one.type)),
                 .hint = hint_for(one.type, names)}
            );
        else
            in.add(
                one,
                {.code = "unknown_version",
                 .path = below(one.path, "type_version"),
                 .message = fmt::format("{} has no version {}", one.type, one.type_version),
                 .hint = fmt::format("the newest is {}", newest->version)}
            );
    }
}

std::vector<problem> validate(
    definition const& flow, catalog const& types, surroundings const& around
) {
    problem_list problems(definition_limits{}.problems);
    inspection in{.flow = flow, .types = types, .around = around, .problems = problems};
    find_nodes(in);
    find_types(in);
    check_settings(in);
    for (std::size_t i = 0; i < flow.nodes.size() && !problems.decided(); ++i) {
        if (in.type_of[i]) check_parameters(in, i);
        check_expressions(in, i);
    }
    check_ports(in);
    check_tool_names(in);
    check_cycles(in);
    check_reach(in);
    return std::move(problems).take();
}

} // namespace postrider::agent::flow
