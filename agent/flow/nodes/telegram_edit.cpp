#include "agent/flow/nodes/actions.hpp"
#include "agent/flow/nodes/describe.hpp"

namespace postrider::agent::flow {

node_type describe_telegram_edit() {
    return {
        .name = "telegram.edit",
        .group = group::action,
        .title = "Edit in Telegram",
        .documentation = R"(
            Gives a message that a bot has sent another text and other buttons, for each item;
            without buttons it has none any more.)"_folded,
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
                "description": "What it says from now on.",
                "type": "string",
                "minLength": 1,
                "maxLength": 4096,
                "x-multiline": true
            },
            "format": {
                "title": "Format",
                "description": "html: the tags b, i, u, s, code, pre, a and blockquote are markup, and a text whose tags do not fit together goes out without them; not written = text.",
                "type": "string",
                "enum": ["text", "html"]
            },
            "buttons": {
                "title": "Buttons",
                "description": "Rows of buttons below it, each of which opens a page.",
                "type": "array",
                "items": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "text": {"type": "string", "minLength": 1},
                            "url": {"type": "string", "minLength": 1}
                        },
                        "required": ["text", "url"]
                    }
                }
            },
            "bot": {
                "title": "Bot",
                "description": "The bot that sent it; not written = the bot that got the message.",
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
