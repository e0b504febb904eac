#include "agent/flow/nodes/actions.hpp"
#include "agent/flow/nodes/describe.hpp"

namespace postrider::agent::flow {

node_type describe_telegram_send() {
    return {
        .name = "telegram.send",
        .group = group::action,
        .title = "Send to Telegram",
        .documentation =
            "Sends a message for each item, to the chat that started the execution or to another "
            "one. A long text goes out in parts. The message's `message_id` and `chat` come out. "
            "Of "
            "an execution that came over the chat API the text is kept for whoever reads there.",
        .inputs = {main_input()},
        .outputs = {main_output()},
        .parameters = parameters(
            R"({
            "text": {
                "title": "Text",
                "description": "Plain text.",
                "type": "string",
                "minLength": 1,
                "x-multiline": true
            },
            "bot": {
                "title": "Bot",
                "description": "Who sends; not written = the bot that got the message.",
                "type": "string",
                "x-reference": "bot"
            },
            "chat": {
                "title": "Chat",
                "description": "The chat's id; not written = where the message came from.",
                "type": "integer"
            },
            "thread": {
                "title": "Topic",
                "description": "The id of a forum's topic; not written = that of the message, in its own chat.",
                "type": "integer"
            },
            "reply": {
                "title": "Reply to",
                "description": "The id of the message that it answers; not written = none.",
                "type": "integer"
            }
        })",
            {"text"}
        ),
        .behaviour = durable{send_telegram, {"bot", "chat"}, true},
    };
}

} // namespace postrider::agent::flow
