#include "agent/describe/bounds.hpp"
#include "agent/flow/nodes/describe.hpp"
#include "agent/flow/nodes/memories.hpp"

namespace postrider::agent::flow {

namespace {

boost::json::object window_parameters() {
    auto schema = parameters("{" + std::string(session_parameter) + R"(,
        "max_messages": {
            "title": "Messages",
            "description": "How many of the newest messages of the person and the agent the model sees. Calls of tools and their results come with them and are not counted.",
            "type": "integer"
        },
        "slack": {
            "title": "Slack",
            "description": "How many more messages the model may see. The window then begins at the same message for several turns, so that providers' prompt caches work.",
            "type": "integer"
        }
    })");
    bounds::apply(bounds::window, schema["properties"].at("max_messages"));
    bounds::apply(bounds::window_slack, schema["properties"].at("slack"));
    return schema;
}

} // namespace

node_type describe_memory_window() {
    return {
        .name = "memory.window",
        .title = "Window memory",
        .documentation = R"(
            Remembers a session's last messages, in the database; of very long ones the model sees
            400,000 characters at most. Older messages of a session are deleted with the next new
            message. If several nodes share a session, the smallest window decides. Without a
            session, the memory is the conversation of the execution's lane, and no messages are
            deleted.)"_folded,
        .parameters = window_parameters(),
        .behaviour = part_of(ai_memory, make_window_memory),
    };
}

} // namespace postrider::agent::flow
