// A difference for programs and for people.
#include "agent/flow/document/diff.hpp"
#include "base/utf8.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

namespace postrider::agent::flow {

namespace {

namespace json = boost::json;

constexpr std::size_t longest_value = 60;

json::object to_json(value_change const& what) {
    json::object made{{"path", what.path}};
    if (what.before) made["before"] = *what.before;
    if (what.after) made["after"] = *what.after;
    return made;
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

json::object to_json(node_change const& what);

template<class All>
json::array list(All const& all) {
    json::array made;
    for (auto const& each : all) made.push_back(to_json(each));
    return made;
}

json::object to_json(node_change const& what) {
    auto made = to_json(what.node);
    made["layout_only"] = what.layout_only;
    made["changes"] = list(what.changes);
    return made;
}

std::string shortened(std::optional<json::value> const& value) {
    return value ? base::shortened(json::serialize(*value), longest_value) : "nothing";
}

std::string to_text(value_change const& what) {
    return fmt::format("{}: {} → {}", what.path, shortened(what.before), shortened(what.after));
}

std::string to_text(connection_label const& of) {
    auto const kind =
        of.kind == connection_kind::main ? "" : fmt::format(" ({})", to_string(of.kind));
    return fmt::format("{}.{} → {}.{}{}", of.from, of.output, of.to, of.input, kind);
}

} // namespace

json::object to_json(flow_diff const& what) {
    return {
        {"empty", what.empty()},
        {"layout_only", what.layout_only()},
        {"reordered", what.reordered},
        {"nodes",
         {{"added", list(what.added)},
          {"removed", list(what.removed)},
          {"changed", list(what.changed)}}},
        {"connections", {{"added", list(what.connected)}, {"removed", list(what.disconnected)}}},
        {"settings", list(what.settings)}};
}

std::string to_text(flow_diff const& what) {
    std::string made;
    for (auto const& each : what.added)
        made += fmt::format("+ node {} ({}, {})\n", each.name, each.id, each.type);
    for (auto const& each : what.removed)
        made += fmt::format("- node {} ({}, {})\n", each.name, each.id, each.type);
    for (auto const& each : what.changed) {
        auto const mark = each.layout_only ? "moved" : "changed";
        made += fmt::format("~ node {} ({}) {}\n", each.node.name, each.node.id, mark);
        if (each.layout_only) continue;
        for (auto const& change : each.changes) made += "    " + to_text(change) + "\n";
    }
    for (auto const& each : what.connected) made += "+ connection " + to_text(each) + "\n";
    for (auto const& each : what.disconnected) made += "- connection " + to_text(each) + "\n";
    for (auto const& each : what.settings) made += "~ " + to_text(each) + "\n";
    if (what.reordered) made += "~ nodes or connections stand in another order\n";
    return made;
}

} // namespace postrider::agent::flow
