// A difference for programs and for people.
#include "agent/flow/document/diff.hpp"
#include "base/json_text.hpp"
#include "base/utf8.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

namespace postrider::agent::flow {

namespace {

namespace json = boost::json;

constexpr std::size_t longest_shown_value = 60;

json::object to_json(value_change const& change) {
    json::object object{{"path", change.path}};
    if (change.before) object["before"] = *change.before;
    if (change.after) object["after"] = *change.after;
    return object;
}

json::object to_json(node_label const& node) {
    return {{"id", node.id}, {"name", node.name}, {"type", node.type}};
}

json::object to_json(connection_label const& of) {
    auto const kind = to_string(of.kind);
    return {
        {"type", json::string_view(kind.data(), kind.size())},
        {"from", of.from},
        {"output", of.output},
        {"to", of.to},
        {"input", of.input}};
}

json::object to_json(node_change const& change);

template<class All>
json::array json_list(All const& all) {
    json::array array;
    for (auto const& item : all) array.push_back(to_json(item));
    return array;
}

json::object to_json(node_change const& change) {
    auto object = to_json(change.node);
    object["layout_only"] = change.layout_only;
    object["changes"] = json_list(change.changes);
    return object;
}

std::string shortened_value(std::optional<json::value> const& value) {
    return value ? base::shortened(base::json_text(*value), longest_shown_value) : "nothing";
}

std::string to_text(value_change const& change) {
    return fmt::format(
        "{}: {} → {}", change.path, shortened_value(change.before), shortened_value(change.after)
    );
}

std::string to_text(connection_label const& of) {
    auto const kind =
        of.kind == connection_kind::main ? "" : fmt::format(" ({})", to_string(of.kind));
    return fmt::format("{}.{} → {}.{}{}", of.from, of.output, of.to, of.input, kind);
}

} // namespace

json::object to_json(flow_diff const& difference) {
    return {
        {"empty", difference.empty()},
        {"layout_only", difference.layout_only()},
        {"reordered", difference.reordered},
        {"nodes",
         {{"added", json_list(difference.added)},
          {"removed", json_list(difference.removed)},
          {"changed", json_list(difference.changed)}}},
        {"connections",
         {{"added", json_list(difference.connected)},
          {"removed", json_list(difference.disconnected)}}},
        {"settings", json_list(difference.settings)}};
}

std::string to_text(flow_diff const& difference) {
    std::string text;
    for (auto const& node : difference.added)
        text += fmt::format("+ node {} ({}, {})\n", node.name, node.id, node.type);
    for (auto const& node : difference.removed)
        text += fmt::format("- node {} ({}, {})\n", node.name, node.id, node.type);
    for (auto const& changed : difference.changed) {
        auto const mark = changed.layout_only ? "moved" : "changed";
        text += fmt::format("~ node {} ({}) {}\n", changed.node.name, changed.node.id, mark);
        if (changed.layout_only) continue;
        for (auto const& change : changed.changes) text += "    " + to_text(change) + "\n";
    }
    for (auto const& connection : difference.connected)
        text += "+ connection " + to_text(connection) + "\n";
    for (auto const& connection : difference.disconnected)
        text += "- connection " + to_text(connection) + "\n";
    for (auto const& setting : difference.settings) text += "~ " + to_text(setting) + "\n";
    if (difference.reordered) text += "~ nodes or connections have another order\n";
    return text;
}

} // namespace postrider::agent::flow
