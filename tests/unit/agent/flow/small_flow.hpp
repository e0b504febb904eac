#pragma once
// A flow of four nodes for tests of what looks on: start → assistant → reply, and a calculator that
// hangs on the assistant.
#include "agent/flow/document/definition.hpp"

namespace postrider::tests {

inline agent::flow::definition small_flow() {
    agent::flow::definition definition;
    for (auto id : {"start", "assistant", "reply", "calculator"}) {
        agent::flow::node flow_node;
        flow_node.id = id;
        flow_node.name = std::string("The ") + id;
        definition.nodes.push_back(std::move(flow_node));
    }
    definition.connections = {
        {"main", 0, "main", 1, "main", "/connections/0"},
        {"main", 1, "main", 2, "main", "/connections/1"},
        {"ai_tool", 3, "tool", 1, "tools", "/connections/2"},
    };
    return definition;
}

} // namespace postrider::tests
