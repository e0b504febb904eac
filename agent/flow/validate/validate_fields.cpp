// The fields of items, as far as they are known: types say which the items of their outputs have, and
// some nodes pass their items on as they came.
#include "agent/flow/validate/inspection.hpp"
#include "base/texts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

json::object const* item_properties(json::object const& schema) {
    auto const* properties = schema.if_contains("properties");
    return properties ? properties->if_object() : nullptr;
}

// True: what comes out of it is what came in.
bool passes_on(inspection const& in, std::size_t at) {
    auto const& node = in.flow.nodes[at];
    if (node.on_error != error_strategy::fail) return false;
    if (node.disabled) return true;
    return in.type_of[at] && keeps_items(*in.type_of[at], node);
}

// Whatever comes out of it has these fields alone; null: nobody knows. A trigger's may have any.
json::object const* schema_out_of(inspection const& in, std::size_t at) {
    static json::object const any_fields;
    auto const* type = in.type_of[at];
    auto const& node = in.flow.nodes[at];
    if (!type || node.disabled) return nullptr;
    if (is_trigger(*type)) {
        auto const* item = started_item(*type);
        return item ? item : &any_fields;
    }
    if (node.on_error != error_strategy::fail || type->outputs.size() != 1) return nullptr;
    auto const* schema = item_schema(type->outputs.front());
    bool const has_more = schema && (schema->contains("x-same") || schema->contains("x-fields"));
    return schema && !has_more && item_properties(*schema) ? schema : nullptr;
}

void add_source(item_sources& sources, std::size_t at, json::object const& schema) {
    sources.nodes.push_back(at);
    if (std::ranges::find(sources.schemas, &schema) == sources.schemas.end())
        sources.schemas.push_back(&schema);
}

// Adds the nodes whose items come out of the node as they are. False: others may come out too.
bool add_sources(
    inspection const& in, std::size_t at, std::vector<bool>& visited, item_sources& sources
) {
    if (visited[at]) return true;
    visited[at] = true;
    if (auto const* schema = schema_out_of(in, at)) {
        add_source(sources, at, *schema);
        return true;
    }
    if (!passes_on(in, at)) return false;
    for (auto const feeder : in.feeders_of[at])
        if (!add_sources(in, feeder, visited, sources)) return false;
    return !in.feeders_of[at].empty();
}

// Of the items that come to the node; for a part, to what it hangs on.
item_sources find_sources(inspection const& in, std::size_t at) {
    item_sources sources;
    std::vector<bool> seen(in.flow.nodes.size());
    for (auto const node : with_hosts(in, at))
        for (auto const feeder : in.feeders_of[node])
            if (!add_sources(in, feeder, seen, sources)) return {};
    return sources;
}

item_sources find_sources_out_of(inspection const& in, std::size_t at) {
    item_sources sources;
    std::vector<bool> seen(in.flow.nodes.size());
    if (!add_sources(in, at, seen, sources)) return {};
    return sources;
}

// None where one of them is not known.
item_sources find_starters(inspection const& in) {
    item_sources sources;
    for (std::size_t at = 0; at < in.flow.nodes.size(); ++at) {
        auto const* type = in.type_of[at];
        if (!type && !in.flow.nodes[at].disabled) return {};
        if (type && is_trigger(*type))
            if (auto const* schema = schema_out_of(in, at)) add_source(sources, at, *schema);
    }
    return sources;
}

struct field_lookup {
    bool is_known = false; // or not to be told
    std::vector<std::string> names = {};
};

// Whether one of the items has the members, as far as their schemas lead.
field_lookup look_up(item_sources const& sources, std::span<std::string const> path) {
    field_lookup result;
    for (auto const* schema : sources.schemas) {
        for (auto const& name : path) {
            auto const* properties = item_properties(*schema);
            if (!properties) return {.is_known = true};
            auto const* member = properties->if_contains(name);
            if (member && &name == &path.back()) return {.is_known = true};
            if (!member) {
                if (&name == &path.back())
                    for (auto const& property : *properties)
                        result.names.emplace_back(property.key());
                break;
            }
            schema = &member->get_object();
        }
    }
    return result;
}

std::string unknown_field_text(
    inspection const& in, item_sources const& sources, std::string const& field
) {
    auto const& first = in.flow.nodes[sources.nodes.front()].name;
    if (sources.nodes.size() == 1)
        return fmt::format("the item of {} has no field {}", in_quotes(first), field);
    bool const all_start = std::ranges::all_of(sources.nodes, [&](std::size_t at) {
        return is_trigger(*in.type_of[at]);
    });
    return fmt::format(
        "the items of no {} here have a field {}", all_start ? "trigger" : "node", field
    );
}

std::optional<field_problem> wrong_member(
    inspection const& in,
    item_sources const& sources,
    std::span<expression_mention::member const> members
) {
    if (sources.nodes.empty()) return std::nullopt;
    std::vector<std::string> path;
    for (auto const& member : members) {
        path.push_back(member.name);
        auto lookup = look_up(sources, path);
        if (lookup.is_known) continue;
        std::ranges::sort(lookup.names);
        lookup.names.erase(
            std::unique(lookup.names.begin(), lookup.names.end()), lookup.names.end()
        );
        auto const field = in_quotes(base::joined(path, "."));
        problem unknown{
            .code = "unknown_field",
            .message = unknown_field_text(in, sources, field),
            .hint = in.problems.full() ? "" : hint_for(member.name, lookup.names),
            .severity = severity::warning};
        return field_problem{std::move(unknown), member.column};
    }
    return std::nullopt;
}

} // namespace

std::optional<field_problem> unknown_field(
    inspection& in, std::size_t node, expression_mention const& mention
) {
    using subject = expression_mention::subject;
    if (in.unread.nodes || in.unread.connections || mention.members.empty()) return std::nullopt;
    std::span<expression_mention::member const> const members = mention.members;
    if (mention.kind == subject::variable && mention.name == "$json") {
        auto const [entry, fresh] = in.sources_of.try_emplace(node);
        if (fresh) entry->second = find_sources(in, node);
        return wrong_member(in, entry->second, members);
    }
    if (mention.kind != subject::node || members.front().name != "json") return std::nullopt;
    auto const named = in.node_of.find(mention.name);
    if (named == in.node_of.end() || named->second == inspection::several) return std::nullopt;
    auto const [entry, fresh] = in.sources_out_of.try_emplace(named->second);
    if (fresh) entry->second = find_sources_out_of(in, named->second);
    return wrong_member(in, entry->second, members.subspan(1));
}

std::optional<field_problem> unknown_lane_field(inspection& in, expression_mention const& mention) {
    if (in.unread.nodes || mention.name != "$json") return std::nullopt;
    if (!in.sources_of_lane) in.sources_of_lane = find_starters(in);
    return wrong_member(in, *in.sources_of_lane, mention.members);
}

} // namespace postrider::agent::flow
