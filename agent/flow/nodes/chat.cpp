#include "agent/flow/nodes/describe.hpp"

namespace postrider::agent::flow {

node_type describe_chat() {
    return {
        .name = "chat",
        .group = group::trigger,
        .title = "Chat",
        .documentation =
            "Starts an execution for each message that comes over the chat API. Its item has the "
            "message's `text`, the `conversation` and its `user`. Executions of one conversation "
            "run one after the other, as `settings.mailbox` says.",
        .outputs = {main_output()},
        .parameters = parameters(R"({
            "greeting": {
                "title": "Greeting",
                "description": "What a chat window shows before the first message.",
                "type": "string",
                "default": "",
                "x-expression": false
            }
        })"),
        .behaviour = trigger{trigger_source::conversation},
    };
}

} // namespace postrider::agent::flow
