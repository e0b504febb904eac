#include "agent/flow/validate/inspection.hpp"

namespace postrider::agent::flow {

namespace {

using neighbours = std::vector<std::vector<std::size_t>>;

std::vector<bool> reached(neighbours const& successors, std::vector<std::size_t> origins) {
    std::vector<bool> seen(successors.size());
    for (auto node : origins) seen[node] = true;
    while (!origins.empty()) {
        auto const node = origins.back();
        origins.pop_back();
        for (auto other : successors[node]) {
            if (seen[other]) continue;
            seen[other] = true;
            origins.push_back(other);
        }
    }
    return seen;
}

// What is not known may be a trigger.
bool starts(inspection const& in, std::size_t node) {
    if (in.flow.nodes[node].disabled) return false;
    return !in.type_of[node] || is_trigger(*in.type_of[node]);
}

} // namespace

std::vector<std::size_t> with_hosts(inspection const& in, std::size_t node) {
    auto const seen = reached(in.hosts_of, {node});
    std::vector<std::size_t> nodes;
    for (std::size_t at = 0; at < seen.size(); ++at)
        if (seen[at]) nodes.push_back(at);
    return nodes;
}

std::vector<bool> runs_before(inspection const& in, std::size_t node) {
    auto const ends = with_hosts(in, node); // a part is made when what it hangs on runs
    auto seen = reached(in.feeders_of, ends);
    for (auto end : ends) seen[end] = false;
    return seen;
}

void check_reach(inspection& in) {
    if (in.unread.nodes) return;
    auto const count = in.flow.nodes.size();
    neighbours next(count);
    for (auto const& connection : in.flow.connections) {
        if (connection.carries_items())
            next[connection.from].push_back(connection.to);
        else // what hangs on a node comes with it
            next[connection.to].push_back(connection.from);
    }
    std::vector<std::size_t> triggers;
    for (std::size_t i = 0; i < count; ++i)
        if (starts(in, i)) triggers.push_back(i);
    if (triggers.empty())
        return in.problems.add({
            .code = "no_trigger",
            .path = "/nodes",
            .message = "nothing starts this flow",
            .hint = "add a trigger; \"manual\" is one that people and other flows start",
        });
    if (in.unread.connections) return;
    auto const seen = reached(next, triggers);
    for (std::size_t i = 0; i < count; ++i) {
        auto const& node = in.flow.nodes[i];
        if (seen[i] || node.disabled || !in.type_of[i]) continue;
        in.add(
            node,
            {.code = "unreachable",
             .path = node.path,
             .message = "nothing leads to this node, so it never runs",
             .hint = "connect it, or leave it out",
             .severity = severity::warning}
        );
    }
}

} // namespace postrider::agent::flow
