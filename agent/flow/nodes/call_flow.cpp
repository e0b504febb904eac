#include "agent/flow/nodes/actions.hpp"
#include "agent/flow/nodes/describe.hpp"

namespace postrider::agent::flow {

node_type describe_call_flow() {
    return {
        .name = "call_flow",
        .group = group::logic,
        .title = "Call flow",
        .documentation = R"(
            Runs another flow from its *Manual* trigger, once for each item, within this execution.
            Its output is the result of that flow.)"_folded,
        .inputs = {main_input()},
        .outputs = {main_output()},
        .parameters = parameters(
            R"({
            "flow": {
                "title": "Flow",
                "description": "The name of a published flow.",
                "type": "string",
                "minLength": 1,
                "x-reference": "flow"
            },
            "input": {
                "title": "Input",
                "description": "The input of the called flow. Default: the item.",
                "type": "object"
            }
        })",
            {"flow"}
        ),
        .behaviour = durable{call_flow},
    };
}

} // namespace postrider::agent::flow
