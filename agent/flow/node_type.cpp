#include "agent/flow/node_type.hpp"

#include "agent/flow/parameters.hpp"
#include "base/names.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

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

json::array ports_json(std::vector<port> const& ports) {
    json::array array;
    for (auto const& port : ports) {
        json::object text{{"name", port.name}, {"type", port.type}};
        if (!port.title.empty()) text["title"] = port.title;
        if (port.least > 0) text["least"] = port.least;
        if (port.most > 0) text["most"] = port.most;
        if (!port.from_parameter.empty()) text["from_parameter"] = port.from_parameter;
        if (port.is_loop) text["loop"] = true;
        if (!port.items.is_null()) text["items"] = port.items;
        array.push_back(std::move(text));
    }
    return array;
}

json::array examples_json(std::vector<node_example> const& examples) {
    json::array array;
    for (auto const& example : examples)
        array.push_back(json::object{{"title", example.title}, {"parameters", example.parameters}});
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

std::optional<group> group_named(std::string_view name) noexcept {
    return base::named(groups, name);
}

std::string_view group_of(node_type const& type) noexcept {
    auto const* part = std::get_if<flow::part>(&type.behaviour);
    return part ? part->kind->group : base::name_of(groups, type.group);
}

std::vector<port> outputs_of(node_type const& type, node const& of) {
    std::vector<port> ports;
    for (auto const& port : type.outputs) {
        if (!port.from_parameter.empty())
            for (auto& name : names_in(of.parameters, port.from_parameter))
                ports.push_back({.name = std::move(name), .type = port.type, .items = port.items});
        ports.push_back(port);
    }
    if (of.on_error == error_strategy::error_output && !is_part(type))
        ports.push_back({.name = "error"});
    return ports;
}

std::string_view body_output(node_type const& type) noexcept {
    auto const output = std::ranges::find_if(type.outputs, &port::is_loop);
    return output == type.outputs.end() ? std::string_view() : std::string_view(output->name);
}

bool takes_back(node_type const& type, std::string_view input) noexcept {
    return std::ranges::any_of(type.inputs, [&](port const& entry) {
        return entry.is_loop && entry.name == input;
    });
}

json::object const* started_item(node_type const& type) noexcept {
    if (!is_trigger(type) || type.outputs.empty()) return nullptr;
    auto const* schema = item_schema(type.outputs.front());
    return schema && schema->contains("properties") ? schema : nullptr;
}

bool is_trigger(node_type const& type) noexcept {
    return std::holds_alternative<trigger>(type.behaviour);
}

bool is_part(node_type const& type) noexcept {
    return std::holds_alternative<part>(type.behaviour);
}

bool has_same_items(port const& output) noexcept {
    auto const* word = output.items.if_string();
    return word && *word == same_items;
}

json::object const* item_schema(port const& output) noexcept {
    return output.items.if_object();
}

bool keeps_items(node_type const& type, node const& of) {
    auto const* acting = std::get_if<durable>(&type.behaviour);
    if (acting && acting->keeps_items) return acting->keeps_items(of.parameters);
    return !type.outputs.empty() && std::ranges::all_of(type.outputs, has_same_items);
}

json::object to_json(node_type const& type) {
    json::object described{
        {"name", type.name},
        {"version", type.version},
        {"group", group_of(type)},
        {"title", type.title},
        {"description", type.description},
        {"documentation", type.documentation},
        {"behaviour", std::visit(names_of_behaviours{}, type.behaviour)},
        {"inputs", ports_json(type.inputs)},
        {"outputs", ports_json(type.outputs)},
        {"parameters", type.parameters},
    };
    if (auto const* item = started_item(type)) described["item"] = *item;
    if (!type.examples.empty()) described["examples"] = examples_json(type.examples);
    return described;
}

} // namespace postrider::agent::flow
