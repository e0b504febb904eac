#include "agent/flow/nodes/describe.hpp"
#include "agent/flow/nodes/tools.hpp"

namespace postrider::agent::flow {

node_type describe_tool_current_time() {
    return {
        .name = "tool.current_time",
        .group = group::tool,
        .title = "Current time",
        .documentation = "Tells an agent the date and the time, in the time zone that it asks for.",
        .outputs = {ai_output(connection_kind::ai_tool)},
        .parameters = parameters(R"({
            "name": {
                "title": "Name",
                "description": "What the model calls it by.",
                "type": "string",
                "pattern": "^[A-Za-z0-9_-]{1,64}$",
                "default": "current_time",
                "x-expression": false
            }
        })"),
        .behaviour = part{make_current_time_tool},
    };
}

} // namespace postrider::agent::flow
