#include "agent/flow/nodes/actions.hpp"
#include "agent/flow/nodes/describe.hpp"
#include "agent/flow/nodes/telegram_parameters.hpp"

namespace postrider::agent::flow {

node_type describe_telegram_react() {
    return {
        .name = "telegram.react",
        .group = group::action,
        .title = "React in Telegram",
        .documentation = "Puts a reaction on a message, or takes it away, for each item.",
        .inputs = {main_input()},
        .outputs = {main_output()},
        .parameters = parameters(
            R"({
            "emoji": {
                "title": "Emoji",
                "description": "One that Telegram has as a reaction; empty = none any more.",
                "type": "string",
                "maxLength": 16
            },
            "message": {
                "title": "Message",
                "description": "Its id; not written = the message that started the execution.",
                "type": "integer"
            },
            )" + bot_and_chat("reacts") +
                R"(
        })",
            {"emoji"}
        ),
        .behaviour = durable{react_telegram, {"bot", "chat", "message"}},
    };
}

} // namespace postrider::agent::flow
