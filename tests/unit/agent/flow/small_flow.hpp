#pragma once
// A flow of four nodes for tests of what looks on: start → assistant → reply, and a calculator that
// hangs on the assistant.
#include "agent/flow/document/definition.hpp"

namespace postrider::tests {

inline agent::flow::definition small_flow() {
    using agent::flow::connection_kind;
    agent::flow::definition made;
    for (auto id : {"start", "assistant", "reply", "calculator"}) {
        agent::flow::node one;
        one.id = id;
        one.name = std::string("The ") + id;
        made.nodes.push_back(std::move(one));
    }
    made.connections.push_back({connection_kind::main, 0, "main", 1, "main", "/connections/0"});
    made.connections.push_back({connection_kind::main, 1, "main", 2, "main", "/connections/1"});
    made.connections.push_back({connection_kind::ai_tool, 3, "tool", 1, "tools", "/connections/2"});
    return made;
}

} // namespace postrider::tests
