#include "agent/flow/nodes/actions.hpp"
#include "agent/flow/nodes/describe.hpp"
#include "agent/flow/nodes/telegram_parameters.hpp"

namespace postrider::agent::flow {

node_type describe_telegram_delete() {
    return {
        .name = "telegram.delete",
        .group = group::action,
        .title = "Delete in Telegram",
        .documentation = R"(
            Deletes a message for each item. For two days, a bot can delete its own messages and
            those that it received in a private chat. In a group, it can delete the messages of
            others if it has the right to.)"_folded,
        .inputs = {main_input()},
        .outputs = {main_output()},
        .parameters = parameters(
            R"({
            "message": {
                "title": "Message",
                "description": "Its id; not written = the message that started the execution.",
                "type": "integer"
            },
            )" +
            bot_and_chat("deletes it") + R"(
        })"
        ),
        .behaviour = durable{delete_telegram, {"bot", "chat", "message"}},
    };
}

} // namespace postrider::agent::flow
