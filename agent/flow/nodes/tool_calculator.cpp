#include "agent/flow/nodes/describe.hpp"
#include "agent/flow/nodes/tools.hpp"

namespace postrider::agent::flow {

node_type describe_tool_calculator() {
    return {
        .name = "tool.calculator",
        .group = group::tool,
        .title = "Calculator",
        .documentation =
            "Lets an agent calculate exactly: + - * / % ^, parentheses and the usual functions.",
        .outputs = {ai_output(connection_kind::ai_tool)},
        .parameters = parameters(R"({
            "name": {
                "title": "Name",
                "description": "What the model calls it by.",
                "type": "string",
                "pattern": "^[A-Za-z0-9_-]{1,64}$",
                "default": "calculator",
                "x-expression": false
            }
        })"),
        .behaviour = part{make_calculator_tool},
    };
}

} // namespace postrider::agent::flow
