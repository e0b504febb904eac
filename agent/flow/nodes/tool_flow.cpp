#include "agent/flow/nodes/describe.hpp"
#include "agent/flow/nodes/tools.hpp"

namespace postrider::agent::flow {

node_type describe_tool_flow() {
    return {
        .name = "tool.flow",
        .group = group::tool,
        .title = "Flow as a tool",
        .documentation =
            "Lets an agent run another flow from its *Manual* trigger and read what it ends with.",
        .outputs = {ai_output(connection_kind::ai_tool)},
        .parameters = parameters(
            R"({
            "name": {
                "title": "Name",
                "description": "What the model calls it by.",
                "type": "string",
                "pattern": "^[A-Za-z0-9_-]{1,64}$",
                "x-expression": false
            },
            "description": {
                "title": "Description",
                "description": "When to use it and what it gives, for the model.",
                "type": "string",
                "minLength": 1,
                "x-multiline": true,
                "x-expression": false
            },
            "flow": {
                "title": "Flow",
                "description": "The name of a published flow.",
                "type": "string",
                "minLength": 1,
                "x-reference": "flow",
                "x-expression": false
            },
            "parameters": {
                "title": "Parameters",
                "description": "JSON Schema of what the model gives, type object; it is the flow's input.",
                "type": "object",
                "default": {"type": "object", "properties": {}},
                "x-format": "json_schema",
                "x-expression": false
            },
            "input": {
                "title": "Input",
                "description": "Members of the flow's input that the model does not choose, or chooses one by one: {\"user\": \"{{ $session.user }}\", \"city\": \"{{ $from_ai('city') }}\"}.",
                "type": "object",
                "default": {},
                "x-from-ai": true
            }
        })",
            {"name", "description", "flow"}
        ),
        .behaviour = part{make_flow_tool},
    };
}

} // namespace postrider::agent::flow
