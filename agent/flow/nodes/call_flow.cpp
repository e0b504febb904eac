#include "agent/flow/nodes/actions.hpp"
#include "agent/flow/nodes/describe.hpp"

namespace postrider::agent::flow {

node_type describe_call_flow() {
    return {
        .name = "call_flow",
        .group = group::logic,
        .title = "Call flow",
        .documentation =
            "Starts another flow at its *Manual* trigger, once for each item. What the flow ends "
            "with comes out; where it is not waited for, the number of its execution.",
        .inputs = {main_input()},
        .outputs = {main_output()},
        .parameters = parameters(
            R"({
            "flow": {
                "title": "Flow",
                "description": "The name of a published flow.",
                "type": "string",
                "minLength": 1,
                "x-reference": "flow",
                "x-expression": false
            },
            "input": {
                "title": "Input",
                "description": "What it starts with; not written = the item.",
                "type": "object"
            },
            "wait": {
                "title": "Wait",
                "description": "Whether to wait for its end.",
                "type": "boolean",
                "default": true
            }
        })",
            {"flow"}
        ),
        .behaviour = durable{call_flow},
    };
}

} // namespace postrider::agent::flow
