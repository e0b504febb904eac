#include "agent/flow/validate/loops.hpp"

namespace postrider::agent::flow {

bool leads_back(connection const& connection, node_type const& target) noexcept {
    return connection.carries_items() && takes_back(target, connection.input);
}

std::vector<bool> body_of(
    definition const& flow, std::vector<node_type const*> const& types, std::size_t loop
) {
    std::vector<std::vector<connection const*>> leaving(flow.nodes.size());
    for (auto const& connection : flow.connections) {
        auto const* target = types[connection.to];
        bool const is_forward = connection.carries_items() && connection.to != loop &&
                                !(target && leads_back(connection, *target));
        if (is_forward) leaving[connection.from].push_back(&connection);
    }
    auto const entry = body_output(*types[loop]);
    std::vector<bool> members(flow.nodes.size());
    std::vector<std::size_t> pending;
    auto const enter = [&](std::size_t node) {
        if (!members[node]) pending.push_back(node);
        members[node] = true;
    };
    for (auto const* connection : leaving[loop])
        if (connection->output == entry) enter(connection->to);
    while (!pending.empty()) {
        auto const node = pending.back();
        pending.pop_back();
        for (auto const* connection : leaving[node]) enter(connection->to);
    }
    return members;
}

} // namespace postrider::agent::flow
