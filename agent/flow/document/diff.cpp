#include "agent/flow/document/diff.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace postrider::agent::flow {

namespace {

namespace json = boost::json;

void compare(
    json::value const& before,
    json::value const& after,
    std::string const& path,
    std::vector<value_change>& changes
);

void compare_objects(
    json::object const& before,
    json::object const& after,
    std::string const& path,
    std::vector<value_change>& changes
) {
    for (auto const& member : before) {
        auto const place = below(path, std::string_view(member.key()));
        if (auto const* now = after.if_contains(member.key()))
            compare(member.value(), *now, place, changes);
        else
            changes.push_back({place, member.value(), std::nullopt});
    }
    for (auto const& member : after)
        if (!before.contains(member.key()))
            changes.push_back(
                {below(path, std::string_view(member.key())), std::nullopt, member.value()}
            );
}

// Arrays of another length changed as a whole: which element is which is anybody's guess.
void compare(
    json::value const& before,
    json::value const& after,
    std::string const& path,
    std::vector<value_change>& changes
) {
    if (before == after) return;
    if (before.is_object() && after.is_object())
        return compare_objects(before.get_object(), after.get_object(), path, changes);
    bool const alike = before.is_array() && after.is_array() &&
                       before.get_array().size() == after.get_array().size();
    if (!alike) {
        changes.push_back({path, before, after});
        return;
    }
    for (std::size_t i = 0; i < before.get_array().size(); ++i)
        compare(before.get_array()[i], after.get_array()[i], below(path, i), changes);
}

// The node as it stands in the document, with what is meant where nothing is written.
json::object whole_node(definition const& flow, std::size_t index) {
    static json::object const otherwise{
        {"type_version", 1},
        {"parameters", json::object{}},
        {"disabled", false},
        {"notes", ""},
        {"on_error", to_string(error_strategy::fail)}};
    auto node = flow.document.at("nodes").as_array().at(index).as_object();
    node.erase("id");
    for (auto const& member : otherwise) node.emplace(member.key(), member.value());
    return node;
}

json::object beside_nodes(definition const& flow) {
    auto rest = flow.document;
    rest.erase("nodes");
    rest.erase("connections");
    rest.emplace("description", "");
    rest.emplace("settings", json::object{});
    return rest;
}

node_label label(node const& node) {
    return {node.id, node.name, node.type};
}

connection_label label(definition const& flow, connection const& connection) {
    return {
        connection.type,
        flow.nodes[connection.from].id,
        connection.output,
        flow.nodes[connection.to].id,
        connection.input};
}

using places = std::map<std::string, std::size_t, std::less<>>;

places places_of(std::vector<node> const& nodes) {
    places by_id;
    for (std::size_t i = 0; i < nodes.size(); ++i) by_id.emplace(nodes[i].id, i);
    return by_id;
}

void compare_nodes(definition const& before, definition const& after, flow_diff& difference) {
    auto const old = places_of(before.nodes);
    auto const now = places_of(after.nodes);
    std::size_t last = 0;
    for (auto const& node : before.nodes)
        if (!now.contains(node.id)) difference.removed.push_back(label(node));
    for (std::size_t i = 0; i < after.nodes.size(); ++i) {
        auto const& node = after.nodes[i];
        auto const previous = old.find(node.id);
        if (previous == old.end()) {
            difference.added.push_back(label(node));
            continue;
        }
        difference.reordered = difference.reordered || previous->second < last;
        last = previous->second;
        node_change change{label(node), {}, false};
        compare_objects(
            whole_node(before, previous->second), whole_node(after, i), "", change.changes
        );
        if (change.changes.empty()) continue;
        change.layout_only = std::ranges::all_of(change.changes, [](auto const& member) {
            return member.path == "/position" || member.path.starts_with("/position/");
        });
        difference.changed.push_back(std::move(change));
    }
}

void compare_connections(definition const& before, definition const& after, flow_diff& difference) {
    std::vector<connection_label> old, now;
    for (auto const& connection : before.connections) old.push_back(label(before, connection));
    for (auto const& connection : after.connections) now.push_back(label(after, connection));
    auto const lacks = [](auto const& labels) {
        return [others = std::set(labels.begin(), labels.end())](auto const& connection) {
            return !others.contains(connection);
        };
    };
    std::ranges::copy_if(old, std::back_inserter(difference.disconnected), lacks(now));
    std::ranges::copy_if(now, std::back_inserter(difference.connected), lacks(old));
    std::erase_if(old, lacks(std::vector(now)));
    std::erase_if(now, lacks(std::vector(old)));
    difference.reordered = difference.reordered || old != now;
}

} // namespace

bool flow_diff::empty() const noexcept {
    return added.empty() && removed.empty() && changed.empty() && connected.empty() &&
           disconnected.empty() && settings.empty() && !reordered;
}

bool flow_diff::layout_only() const noexcept {
    bool const nothing_else = added.empty() && removed.empty() && connected.empty() &&
                              disconnected.empty() && settings.empty() && !reordered;
    return nothing_else && !changed.empty() &&
           std::ranges::all_of(changed, [](auto const& change) { return change.layout_only; });
}

flow_diff diff(definition const& before, definition const& after) {
    flow_diff difference;
    compare_nodes(before, after, difference);
    compare_connections(before, after, difference);
    compare_objects(beside_nodes(before), beside_nodes(after), "", difference.settings);
    return difference;
}

} // namespace postrider::agent::flow
