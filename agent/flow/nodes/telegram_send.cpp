#include "agent/flow/nodes/actions.hpp"
#include "agent/flow/nodes/describe.hpp"
#include "agent/flow/nodes/telegram_parameters.hpp"

namespace postrider::agent::flow {

node_type describe_telegram_send() {
    return {
        .name = "telegram.send",
        .group = group::action,
        .title = "Send to Telegram",
        .documentation = R"(
            Sends a message for each item, to the chat that started the execution or to another
            one. A long text goes out in parts. The output has the message's `message_id` and
            `chat`. In an execution of the chat API it is a message of the `conversation`.)"_folded,
        .inputs = {main_input()},
        .outputs = {main_output()},
        .parameters = parameters(
            R"({
            "text": {
                "title": "Text",
                "description": "The text. With a photo or a document: its caption.",
                "type": "string",
                "minLength": 1,
                "x-multiline": true,
                "x-markup": "format"
            },
            )" + std::string(format_and_buttons) +
                R"(,
            "photo": {
                "title": "Photo",
                "description": "A URL, or the id of a file that Telegram has.",
                "type": "string",
                "minLength": 1
            },
            "document": {
                "title": "Document",
                "description": "A URL, or the id of a file that Telegram has. Not together with a photo.",
                "type": "string",
                "minLength": 1
            },
            )" + bot_and_chat("sends") +
                ",\n" + std::string(topic_parameter) +
                R"(,
            "reply": {
                "title": "Reply to",
                "description": "The id of the message that it answers; not written = none.",
                "type": "integer"
            }
        })",
            {"text"}
        ),
        .behaviour = durable{send_telegram, {"bot", "chat"}},
    };
}

} // namespace postrider::agent::flow
