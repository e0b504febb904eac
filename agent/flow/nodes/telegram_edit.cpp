#include "agent/flow/nodes/actions.hpp"
#include "agent/flow/nodes/describe.hpp"
#include "agent/flow/nodes/telegram_parameters.hpp"

namespace postrider::agent::flow {

node_type describe_telegram_edit() {
    return {
        .name = "telegram.edit",
        .group = group::action,
        .title = "Edit in Telegram",
        .documentation = R"(
            Replaces the text and the buttons of a message that a bot has sent, for each item.
            Without `buttons`, the message loses its buttons.)"_folded,
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
                "description": "The new text.",
                "type": "string",
                "minLength": 1,
                "maxLength": 4096,
                "x-multiline": true,
                "x-markup": "format"
            },
            )" + std::string(format_and_buttons) +
                R"(,
            )" + bot_and_chat("sent it") +
                R"(
        })",
            {"message", "text"}
        ),
        .behaviour = durable{edit_telegram, {"bot", "chat", "message"}},
    };
}

} // namespace postrider::agent::flow
