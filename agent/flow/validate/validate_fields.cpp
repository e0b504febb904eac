// The fields of items, as far as they are known: a trigger says which its item has, and some nodes
// pass their items on as they came.
#include "agent/flow/validate/inspection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

json::object const* item_properties(json::object const& schema) {
    auto const* properties = schema.if_contains("properties");
    return properties ? properties->if_object() : nullptr;
}

// True: what comes out of it is what came in.
bool keeps_items(inspection const& in, std::size_t at) {
    auto const& node = in.flow.nodes[at];
    if (node.on_error != error_strategy::fail) return false;
    if (node.disabled) return true;
    auto const* type = in.type_of[at];
    if (!type) return false;
    if (auto const* computing = std::get_if<pure>(&type->behaviour)) return computing->keeps_items;
    auto const* acting = std::get_if<durable>(&type->behaviour);
    return acting && acting->keeps_items && acting->keeps_items(node.parameters);
}

trigger const* trigger_at(inspection const& in, std::size_t at) {
    if (!in.type_of[at] || in.flow.nodes[at].disabled) return nullptr;
    return std::get_if<trigger>(&in.type_of[at]->behaviour);
}

void add_source(item_sources& to, std::size_t at, trigger const& source) {
    to.triggers.push_back(at);
    if (std::ranges::find(to.kinds, &source) == to.kinds.end()) to.kinds.push_back(&source);
}

// Adds the triggers whose items come out of the node as they are. False: others may come out too.
bool add_sources(inspection const& in, std::size_t at, std::vector<bool>& seen, item_sources& to) {
    if (seen[at]) return true;
    seen[at] = true;
    if (auto const* source = trigger_at(in, at)) {
        add_source(to, at, *source);
        return true;
    }
    if (!keeps_items(in, at)) return false;
    for (auto const feeder : in.feeders_of[at])
        if (!add_sources(in, feeder, seen, to)) return false;
    return !in.feeders_of[at].empty();
}

// Of the items that come to the node; for a part, to what it hangs on.
item_sources find_sources(inspection const& in, std::size_t at) {
    item_sources found;
    std::vector<bool> seen(in.flow.nodes.size());
    for (auto const node : with_hosts(in, at))
        for (auto const feeder : in.feeders_of[node])
            if (!add_sources(in, feeder, seen, found)) return {};
    return found;
}

item_sources find_sources_out_of(inspection const& in, std::size_t at) {
    item_sources found;
    std::vector<bool> seen(in.flow.nodes.size());
    if (!add_sources(in, at, seen, found)) return {};
    return found;
}

// None where one of them is not known.
item_sources find_starters(inspection const& in) {
    item_sources found;
    for (std::size_t at = 0; at < in.flow.nodes.size(); ++at) {
        if (!in.type_of[at] && !in.flow.nodes[at].disabled) return {};
        if (auto const* source = trigger_at(in, at)) add_source(found, at, *source);
    }
    return found;
}

struct field_lookup {
    bool known = false; // or not to be told
    std::vector<std::string> names = {};
};

// Whether one of the items has the members, as far as their schemas lead.
field_lookup look_up(item_sources const& sources, std::span<std::string const> path) {
    field_lookup found;
    for (auto const* source : sources.kinds) {
        auto const* schema = &source->item;
        for (auto const& name : path) {
            auto const* properties = item_properties(*schema);
            if (!properties) return {.known = true};
            auto const* member = properties->if_contains(name);
            if (member && &name == &path.back()) return {.known = true};
            if (!member) {
                if (&name == &path.back())
                    for (auto const& property : *properties)
                        found.names.emplace_back(property.key());
                break;
            }
            schema = &member->get_object();
        }
    }
    return found;
}

std::optional<field_problem> wrong_member(
    inspection const& in,
    item_sources const& sources,
    std::span<expression_mention::member const> members
) {
    if (sources.triggers.empty()) return std::nullopt;
    std::vector<std::string> path;
    for (auto const& member : members) {
        path.push_back(member.name);
        auto found = look_up(sources, path);
        if (found.known) continue;
        std::ranges::sort(found.names);
        found.names.erase(std::unique(found.names.begin(), found.names.end()), found.names.end());
        auto const& starter = in.flow.nodes[sources.triggers.front()].name;
        auto const field = in_quotes(fmt::format("{}", fmt::join(path, ".")));
        problem unknown{
            .code = "unknown_field",
            .message =
                sources.triggers.size() == 1
                    ? fmt::format("the item of {} has no field {}", in_quotes(starter), field)
                    : fmt::format("the items of no trigger here have a field {}", field),
            .hint = in.problems.full() ? "" : hint_for(member.name, found.names),
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
        auto const [found, fresh] = in.sources_of.try_emplace(node);
        if (fresh) found->second = find_sources(in, node);
        return wrong_member(in, found->second, members);
    }
    if (mention.kind != subject::node || members.front().name != "json") return std::nullopt;
    auto const named = in.node_of.find(mention.name);
    if (named == in.node_of.end() || named->second == inspection::several) return std::nullopt;
    auto const [found, fresh] = in.sources_out_of.try_emplace(named->second);
    if (fresh) found->second = find_sources_out_of(in, named->second);
    return wrong_member(in, found->second, members.subspan(1));
}

std::optional<field_problem> unknown_lane_field(inspection& in, expression_mention const& mention) {
    if (in.unread.nodes || mention.name != "$json") return std::nullopt;
    if (!in.sources_of_lane) in.sources_of_lane = find_starters(in);
    return wrong_member(in, *in.sources_of_lane, mention.members);
}

} // namespace postrider::agent::flow
