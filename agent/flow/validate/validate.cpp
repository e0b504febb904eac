#include "agent/flow/validate/validate.hpp"

#include "agent/flow/validate/inspection.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

void find_nodes(inspection& in) {
    for (std::size_t i = 0; i < in.flow.nodes.size(); ++i)
        for (auto const* name : {&in.flow.nodes[i].id, &in.flow.nodes[i].name}) {
            auto const [there, fresh] = in.node_of.emplace(*name, i);
            if (!fresh && there->second != i) there->second = inspection::several;
        }
}

void find_links(inspection& in) {
    in.feeders_of.resize(in.flow.nodes.size());
    in.hosts_of.resize(in.flow.nodes.size());
    for (auto const& connection : in.flow.connections)
        if (in.leads_back(connection))
            continue;
        else if (connection.carries_items())
            in.feeders_of[connection.to].push_back(connection.from);
        else
            in.hosts_of[connection.from].push_back(connection.to);
}

void find_types(inspection& in) {
    std::vector<std::string> names;
    for (auto const* type : in.types.all()) names.push_back(type->name);
    for (auto const& node : in.flow.nodes) {
        // Without its parameters nothing is known of what a node needs and has.
        bool const read = !in.unread.parameters.contains(in.type_of.size());
        auto const* type = in.types.find(node.type, node.type_version);
        auto const* newest = in.types.find(node.type);
        // Whoever follows the hint wants to know what is wrong then.
        in.type_of.push_back(!read ? nullptr : type || node.disabled ? type : newest);
        if (type || node.type.empty()) continue;
        if (newest && node.type_version == 0) continue;
        if (!newest)
            in.add(
                node,
                {.code = "unknown_type",
                 .path = below(node.path, "type"),
                 .message = fmt::format("there is no node type {}", in_quotes(node.type)),
                 .hint = hint_for(node.type, names)}
            );
        else
            in.add(
                node,
                {.code = "unknown_version",
                 .path = below(node.path, "type_version"),
                 .message = fmt::format("{} has no version {}", node.type, node.type_version),
                 .hint = fmt::format("the newest is {}", newest->version)}
            );
    }
}

validation_context::name_list const& validation_context::names_of(std::string_view reference
) const {
    static name_list const none;
    auto const entry = names.find(reference);
    return entry == names.end() ? none : entry->second;
}

namespace {

void inspect(inspection in) {
    auto const& flow = in.flow;
    auto const& problems = in.problems;
    find_nodes(in);
    find_types(in);
    find_links(in);
    check_settings(in);
    for (std::size_t i = 0; i < flow.nodes.size() && !problems.decided(); ++i) {
        if (in.type_of[i]) check_parameters(in, i);
        if (in.type_of[i]) check_advice(in, i);
        check_expressions(in, i);
    }
    check_ports(in);
    check_tool_names(in);
    check_cycles(in);
    check_loops(in);
    check_reach(in);
    check_triggers(in);
    check_models(in);
    check_members(in);
}

} // namespace

std::vector<problem> validate(
    definition const& flow,
    catalog const& types,
    validation_context const& context,
    flow::purpose purpose
) {
    problem_list problems(definition_limits{}.problems);
    gaps const none;
    inspect(
        {.flow = flow,
         .types = types,
         .context = context,
         .unread = none,
         .problems = problems,
         .purpose = purpose}
    );
    return std::move(problems).take();
}

examination examine(
    std::string_view text, catalog const& types, validation_context const& context
) {
    examination examination;
    problem_list problems(definition_limits{}.problems);
    auto read = read_partially(text, problems);
    bool const fit = read && problems.empty();
    if (read)
        inspect(
            {.flow = read->flow,
             .types = types,
             .context = context,
             .unread = read->gaps,
             .problems = problems}
        );
    if (fit) examination.flow = std::move(read->flow);
    examination.problems = std::move(problems).take();
    return examination;
}

} // namespace postrider::agent::flow
