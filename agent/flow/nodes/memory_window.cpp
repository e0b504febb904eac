#include "agent/flow/nodes/describe.hpp"
#include "agent/flow/nodes/memories.hpp"

namespace postrider::agent::flow {

node_type describe_memory_window() {
    return {
        .name = "memory.window",
        .group = group::memory,
        .title = "Window memory",
        .documentation =
            "Remembers a session's last messages, in the database. Without a session of its own, "
            "the conversation of the execution's lane.",
        .outputs = {ai_output(connection_kind::ai_memory)},
        .parameters = parameters(R"({
            "session_id": {
                "title": "Session",
                "description": "Whose conversation: {{ $json.user }}; empty = the lane's.",
                "type": "string",
                "maxLength": 200,
                "default": ""
            },
            "max_messages": {
                "title": "Most messages",
                "description": "How many of the last messages the model sees.",
                "type": "integer",
                "minimum": 1,
                "maximum": 500,
                "default": 30
            }
        })"),
        .behaviour = part{make_window_memory},
    };
}

} // namespace postrider::agent::flow
