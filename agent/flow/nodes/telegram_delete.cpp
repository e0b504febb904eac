#include "agent/flow/nodes/actions.hpp"
#include "agent/flow/nodes/describe.hpp"

namespace postrider::agent::flow {

node_type describe_telegram_delete() {
    return {
        .name = "telegram.delete",
        .group = group::action,
        .title = "Delete in Telegram",
        .documentation = R"(
            Deletes a message for each item. A bot deletes its own messages, and in a private chat
            what it got, for two days; others' in a group where it may.)"_folded,
        .inputs = {main_input()},
        .outputs = {main_output()},
        .parameters = parameters(R"({
            "message": {
                "title": "Message",
                "description": "Its id; not written = the message that started the execution.",
                "type": "integer"
            },
            "bot": {
                "title": "Bot",
                "description": "The bot that deletes it; not written = the bot that got the message.",
                "type": "string",
                "x-reference": "bot"
            },
            "chat": {
                "title": "Chat",
                "description": "The chat's id; not written = where the message came from.",
                "type": "integer"
            }
        })"),
        .behaviour = durable{delete_telegram, {"bot", "chat", "message"}},
    };
}

} // namespace postrider::agent::flow
