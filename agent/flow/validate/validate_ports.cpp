#include "agent/flow/parameters.hpp"
#include "agent/flow/parts/tools.hpp"
#include "agent/flow/validate/inspection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace postrider::agent::flow {

namespace {

port const* find_port(std::vector<port> const& ports, std::string_view name) {
    auto const place = std::ranges::find(ports, name, &port::name);
    return place == ports.end() ? nullptr : &*place;
}

std::string hint_for_port(std::string_view name, std::vector<port> const& ports) {
    std::vector<std::string> names;
    names.reserve(ports.size());
    for (auto const& port : ports) names.push_back(port.name);
    return names.empty() ? "it has none" : hint_for(name, names);
}

class port_check {
public:
    explicit port_check(inspection& in) : in_(in) {
        for (std::size_t i = 0; i < in.flow.nodes.size(); ++i) {
            auto const* type = in.type_of[i];
            outputs_.push_back(type ? outputs_of(*type, in.flow.nodes[i]) : std::vector<port>());
        }
    }

    void check() {
        for (std::size_t i = 0; i < outputs_.size(); ++i) check_outputs(i);
        for (auto const& connection : in_.flow.connections) check(connection);
        for (std::size_t i = 0; i < outputs_.size(); ++i) check_inputs(i);
    }

private:
    // The type's own outputs have their names; others come from parameters.
    void check_outputs(std::size_t node) {
        auto const* type = in_.type_of[node];
        if (!type) return;
        auto const& of = in_.flow.nodes[node];
        std::set<std::string_view> used_names;
        for (auto const& output : type->outputs) used_names.insert(output.name);
        if (of.on_error == error_strategy::error_output) used_names.insert("error");
        for (auto const& output : type->outputs) {
            auto const* rows = of.parameters.if_contains(output.from_parameter);
            if (rows && rows->is_array())
                check_rows(
                    of,
                    rows->get_array(),
                    below(of.path + "/parameters", output.from_parameter),
                    used_names
                );
        }
    }

    void check_rows(
        node const& node,
        boost::json::array const& rows,
        std::string const& path,
        std::set<std::string_view>& used_names
    ) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            auto const* row = rows[i].if_object();
            auto const* value = row ? row->if_contains("name") : nullptr;
            if (!value || !value->is_string()) continue;
            std::string_view const name = value->get_string().subview();
            if (used_names.insert(name).second) continue;
            in_.add(
                node,
                {.code = "duplicate_output",
                 .path = below(below(path, i), "name"),
                 .message = fmt::format("two outputs are called {}", in_quotes(name)),
                 .hint = "give each rule a name of its own"}
            );
        }
    }

    void check(connection const& connection) {
        auto const& source = in_.flow.nodes[connection.from];
        auto const& target = in_.flow.nodes[connection.to];
        if (!seen_.emplace(connection.from, connection.output, connection.to, connection.input)
                 .second)
            in_.add_to_flow(
                source,
                {.code = "duplicate_connection",
                 .path = connection.path,
                 .message = fmt::format(
                     "{} is connected to {} like this already",
                     in_quotes(source.name),
                     in_quotes(target.name)
                 ),
                 .hint = "leave one of them out"}
            );
        if (!is_known_type(connection, source)) {
            has_unknown_ = true;
            return;
        }
        if (in_.type_of[connection.from]) check_output(connection, source);
        if (in_.type_of[connection.to]) check_input(connection, source, target);
    }

    // The types of connections are those that some node type has a port for.
    bool is_known_type(connection const& connection, node const& source) {
        if (types_.empty()) {
            types_.emplace_back(main_connection);
            for (auto const* type : in_.types.all())
                for (auto const* ports : {&type->inputs, &type->outputs})
                    for (auto const& port : *ports)
                        if (std::ranges::find(types_, port.type) == types_.end())
                            types_.emplace_back(port.type);
        }
        if (std::ranges::find(types_, connection.type) != types_.end()) return true;
        in_.add_to_flow(
            source,
            {.code = "unknown_word",
             .path = connection.path + "/type",
             .message = fmt::format("\"type\" cannot be {}", in_quotes(connection.type)),
             .hint = hint_for(connection.type, types_)}
        );
        return false;
    }

    void check_output(connection const& connection, node const& source) {
        auto const& ports = outputs_[connection.from];
        auto const* output = find_port(ports, connection.output);
        if (!output)
            in_.add_to_flow(
                source,
                {.code = "unknown_output",
                 .path = connection.path + "/output",
                 .message =
                     fmt::format("{} has no output {}", source.type, in_quotes(connection.output)),
                 .hint = hint_for_port(connection.output, ports)}
            );
        else
            check_kind(connection, *output, source, "output");
    }

    void check_input(connection const& connection, node const& source, node const& target) {
        auto const& ports = in_.type_of[connection.to]->inputs;
        auto const* input = find_port(ports, connection.input);
        if (!input)
            return in_.add_to_flow(
                target,
                {.code = "unknown_input",
                 .path = connection.path + "/input",
                 .message =
                     fmt::format("{} has no input {}", target.type, in_quotes(connection.input)),
                 .hint = hint_for_port(connection.input, ports)}
            );
        // Items pass a disabled node; a disabled part is none.
        bool const is_ignored = source.disabled && !connection.carries_items();
        if (!check_kind(connection, *input, target, "input") || is_ignored) return;
        auto const count = ++connected_[{connection.to, input->name}];
        if (input->most > 0 && count > input->most)
            in_.add_to_flow(
                target,
                {.code = "surplus_connection",
                 .path = connection.path,
                 .message = fmt::format(
                     "{} takes at most {} at {}", target.type, input->most, in_quotes(input->name)
                 ),
                 .hint = "leave one of them out"}
            );
    }

    bool check_kind(
        connection const& connection, port const& port, node const& node, std::string_view direction
    ) {
        if (connection.type == port.type) return true;
        in_.add_to_flow(
            node,
            {.code = "wrong_connection",
             .path = connection.path,
             .message = fmt::format(
                 "{} {} of {} is of type {}, the connection of type {}",
                 direction,
                 in_quotes(port.name),
                 node.type,
                 port.type,
                 connection.type
             ),
             .hint = fmt::format("connections of type {} go there", port.type)}
        );
        return false;
    }

    void check_inputs(std::size_t node) {
        if (!in_.type_of[node]) return;
        auto const& of = in_.flow.nodes[node];
        for (auto const& input : in_.type_of[node]->inputs) {
            auto const entry = connected_.find({node, input.name});
            auto const count = entry == connected_.end() ? 0 : entry->second;
            if (count >= input.least || in_.unread.connections || has_unknown_) continue;
            in_.add(
                of,
                {.code = "missing_connection",
                 .path = of.path,
                 .message = fmt::format("nothing is connected to {}", in_quotes(input.name)),
                 .hint = fmt::format("{} needs it: {}", of.type, input.title)}
            );
        }
    }

    inspection& in_;
    std::vector<std::string> types_;         // of connections
    bool has_unknown_ = false;               // connections: nobody knows what is connected by them
    std::vector<std::vector<port>> outputs_; // by node
    std::set<std::tuple<std::size_t, std::string_view, std::size_t, std::string_view>> seen_;
    std::map<std::pair<std::size_t, std::string_view>, int>
        connected_; // by input, without disabled parts
};

} // namespace

void check_ports(inspection& in) {
    port_check(in).check();
}

void check_tool_names(inspection& in) {
    std::map<std::pair<std::size_t, std::string_view>, node const*> offered;
    for (auto const& connection : in.flow.connections) {
        auto const& tool = in.flow.nodes[connection.from];
        auto const* type = in.type_of[connection.from];
        if (connection.type != ai_tool.name || !type || tool.disabled) continue;
        auto const* name = given_or_default(tool.parameters, *type, "name");
        if (!name || !name->is_string()) continue;
        auto const [there, fresh] =
            offered.try_emplace({connection.to, std::string_view(name->get_string())}, &tool);
        if (fresh || there->second == &tool) continue;
        in.add_to_flow(
            tool,
            {.code = "duplicate_tool",
             .path = tool.path + (tool.parameters.contains("name") ? "/parameters/name" : ""),
             .message = fmt::format(
                 "{} offers a tool {} already",
                 in_quotes(there->second->name),
                 in_quotes(there->first.second)
             ),
             .hint = "give each tool of the agent a name of its own"}
        );
    }
}

} // namespace postrider::agent::flow
