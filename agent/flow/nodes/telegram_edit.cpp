#include "agent/flow/nodes/actions.hpp"
#include "agent/flow/nodes/describe.hpp"

namespace postrider::agent::flow {

node_type describe_telegram_edit() {
    return {
        .name = "telegram.edit",
        .group = group::action,
        .title = "Edit in Telegram",
        .documentation = "Gives a message that a bot has sent another text, for each item.",
        .inputs = {main_input()},
        .outputs = {main_output()},
        .parameters = parameters(
            R"({
            "message": {
                "title": "Message",
                "description": "Its id: {{ $json.message_id }} behind the node that sent it.",
                "type": "integer"
            },
            "text": {
                "title": "Text",
                "description": "Plain text.",
                "type": "string",
                "minLength": 1,
                "maxLength": 4096,
                "x-multiline": true
            },
            "bot": {
                "title": "Bot",
                "description": "Who sent it; not written = the bot that got the message.",
                "type": "string",
                "x-reference": "bot"
            },
            "chat": {
                "title": "Chat",
                "description": "The chat's id; not written = where the message came from.",
                "type": "integer"
            }
        })",
            {"message", "text"}
        ),
        .behaviour = durable{edit_telegram, {"bot", "chat", "message"}},
    };
}

} // namespace postrider::agent::flow
