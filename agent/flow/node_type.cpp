#include "agent/flow/node_type.hpp"

#include "agent/flow/parameters.hpp"
#include "base/names.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr base::names<group, 4> groups{{
    {group::trigger, "trigger"},
    {group::logic, "logic"},
    {group::action, "action"},
    {group::agent, "agent"},
}};

struct names_of_behaviours {
    std::string_view operator()(trigger const&) const { return "trigger"; }
    std::string_view operator()(pure const&) const { return "pure"; }
    std::string_view operator()(durable const&) const { return "durable"; }
    std::string_view operator()(part const&) const { return "part"; }
};

json::array to_json(std::vector<port> const& ports) {
    json::array array;
    for (auto const& port : ports) {
        json::object text{{"name", port.name}, {"type", kind_of(port)}};
        if (!port.title.empty()) text["title"] = port.title;
        if (port.least > 0) text["least"] = port.least;
        if (port.most > 0) text["most"] = port.most;
        if (!port.from_parameter.empty()) text["from_parameter"] = port.from_parameter;
        array.push_back(std::move(text));
    }
    return array;
}

// The names in a constant list of {"name": …}.
std::vector<std::string> names_in(json::object const& parameters, std::string_view list) {
    std::vector<std::string> names;
    auto const* rows = parameters.if_contains(list);
    if (!rows || !rows->is_array()) return names;
    for (auto const& row : rows->get_array()) {
        auto const* members = row.if_object();
        auto const* name = members ? members->if_contains("name") : nullptr;
        if (name && name->is_string()) names.emplace_back(name->get_string());
    }
    return names;
}

} // namespace

std::string_view group_of(node_type const& type) noexcept {
    return is_part(type) ? type.outputs.front().kind->group : base::name_of(groups, type.group);
}

std::string_view kind_of(port const& at) noexcept {
    return at.kind ? at.kind->name : main_connection;
}

std::vector<port> outputs_of(node_type const& type, node const& of) {
    std::vector<port> ports;
    for (auto const& port : type.outputs) {
        if (!port.from_parameter.empty())
            for (auto& name : names_in(of.parameters, port.from_parameter))
                ports.push_back({.name = std::move(name), .kind = port.kind});
        ports.push_back(port);
    }
    if (of.on_error == error_strategy::error_output && !is_part(type))
        ports.push_back({.name = "error"});
    return ports;
}

bool is_trigger(node_type const& type) noexcept {
    return std::holds_alternative<trigger>(type.behaviour);
}

bool is_part(node_type const& type) noexcept {
    return std::holds_alternative<part>(type.behaviour);
}

json::object to_json(node_type const& type) {
    json::object described{
        {"name", type.name},
        {"version", type.version},
        {"group", group_of(type)},
        {"title", type.title},
        {"documentation", type.documentation},
        {"behaviour", std::visit(names_of_behaviours{}, type.behaviour)},
        {"inputs", to_json(type.inputs)},
        {"outputs", to_json(type.outputs)},
        {"parameters", type.parameters},
    };
    auto const* starts = std::get_if<trigger>(&type.behaviour);
    if (starts && !starts->item.empty()) described["item"] = starts->item;
    return described;
}

} // namespace postrider::agent::flow
