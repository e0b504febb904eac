#include "agent/flow/nodes/describe.hpp"

namespace postrider::agent::flow {

node_type describe_chat() {
    return {
        .name = "chat",
        .group = group::trigger,
        .title = "Chat",
        .documentation = R"(
            Starts an execution for each message that comes over the chat API. Its item has the
            message's `text` and number, the `conversation` and its `user`. Executions of one
            conversation run one after the other, as `settings.mailbox` says.)"_folded,
        .outputs = {main_output()},
        .parameters = parameters(R"({
            "greeting": {
                "title": "Greeting",
                "description": "The text that a chat window shows before the first message.",
                "type": "string",
                "default": "",
                "x-expression": false
            }
        })"),
        .behaviour =
            trigger{
                .source = trigger_source::message,
                .open = [](auto const&) { return conversation_opening{}; },
                .item = item_fields(R"({
                    "text": {"type": "string", "description": "What the person wrote."},
                    "conversation": {"type": "string", "description": "The conversation's id, a UUID."},
                    "user": {"type": "integer", "description": "The user whose conversation it is."},
                    "message": {"type": "integer", "description": "The message's number within the conversation."}
                })"),
            },
    };
}

} // namespace postrider::agent::flow
