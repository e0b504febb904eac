#pragma once
// What the checks of the validator share: the flow, with the types of its nodes found. Each check
// stands in a file of its own, validate_*.cpp; validate.cpp runs them.
#include "agent/expression/expression.hpp"
#include "agent/flow/validate/loops.hpp"
#include "agent/flow/validate/references.hpp"
#include "agent/flow/validate/validate.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace postrider::agent::flow {

// Nodes whose items come to a node as they are; none: others may come too.
struct item_sources {
    std::vector<std::size_t> nodes = {};
    std::vector<boost::json::object const*> schemas = {}; // of their items, each once
};

struct inspection {
    definition const& flow;
    catalog const& types;
    validation_context const& context;
    gaps const& unread;
    problem_list& problems;
    flow::purpose purpose = purpose::publishing;
    std::vector<node_type const*> type_of = {};           // by node; null = unknown
    std::map<std::string_view, std::size_t> node_of = {}; // by id and by name
    // By node: those from which items come to it, not back into a loop; and what it hangs on.
    std::vector<std::vector<std::size_t>> feeders_of = {};
    std::vector<std::vector<std::size_t>> hosts_of = {};
    // Of what comes to a node, and of what comes out of it, found at the first mention: a flow may
    // have thousands of mentions of one node.
    std::map<std::size_t, item_sources> sources_of = {};
    std::map<std::size_t, item_sources> sources_out_of = {};
    std::optional<item_sources> sources_of_lane = {};
    std::size_t expressions = 0;      // that were looked at
    std::size_t expression_bytes = 0; // of their sources

    // The connection goes back into a loop.
    bool leads_back(connection const& connection) const {
        auto const* target = type_of[connection.to];
        return target && flow::leads_back(connection, *target);
    }

    static constexpr auto several = static_cast<std::size_t>(-1); // nodes of one name

    // The problem is the node's own; a warning where the node is disabled.
    void add(node const& node, problem problem) {
        if (node.disabled) problem.severity = severity::warning;
        add_to_flow(node, std::move(problem));
    }
    bool knows(reference const& reference, std::string_view name) const {
        auto const& all = context.names_of(reference.name);
        return all.empty() || (reference.includes_flow_itself && name == flow.name) ||
               std::ranges::find(all, name) != all.end();
    }
    std::string hint_for_reference(reference const& reference, std::string_view name) const {
        std::vector<std::string> other_names;
        for (auto const& other : context.names_of(reference.name))
            if (!other.empty() && !(reference.includes_flow_itself && other == flow.name))
                other_names.push_back(other);
        return hint_for(name, other_names);
    }
    // The problem concerns others too.
    void add_to_flow(node const& node, problem problem) {
        problem.node = node.name;
        problems.add(std::move(problem));
    }
};

void find_nodes(inspection& in);
void find_links(inspection& in);
void find_types(inspection& in);
void check_parameters(inspection& in, std::size_t node);
void check_advice(inspection& in, std::size_t node);
void check_expressions(inspection& in, std::size_t node);
void check_settings(inspection& in);
void check_members(inspection& in);
void check_ports(inspection& in);
void check_tool_names(inspection& in);
void check_cycles(inspection& in);
void check_loops(inspection& in);
void check_reach(inspection& in);
void check_triggers(inspection& in);
void check_models(inspection& in);

// Where an expression of the node takes a field for granted that none of the items has: a warning
// without its path, and the field's column in the expression.
struct field_problem {
    problem warning;
    std::size_t column = 1;
};
std::optional<field_problem> unknown_field(
    inspection& in, std::size_t node, expression_mention const& mention
);
// Likewise of settings.lane, over the items of all triggers.
std::optional<field_problem> unknown_lane_field(inspection& in, expression_mention const& mention);

// The node, and what it hangs on: also what a part's part hangs on in the end.
std::vector<std::size_t> with_hosts(inspection const& in, std::size_t node);

// The nodes that are surely over when the node runs: those whose items can come to it.
std::vector<bool> runs_before(inspection const& in, std::size_t node);

} // namespace postrider::agent::flow
