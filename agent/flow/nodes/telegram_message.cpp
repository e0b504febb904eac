#include "agent/flow/nodes/describe.hpp"

namespace postrider::agent::flow {

node_type describe_telegram_message() {
    return {
        .name = "telegram.message",
        .group = group::trigger,
        .title = "Telegram message",
        .documentation =
            "Starts an execution for each message that one of the bots gets. Its item has the "
            "message's `text`, and the numbers of its `bot`, `chat`, `thread`, `user` and "
            "`message`. Executions of one chat run one after the other, as `settings.mailbox` "
            "says.",
        .outputs = {main_output()},
        .parameters = parameters(R"({
            "bots": {
                "title": "Bots",
                "description": "Whose messages; none named = all bots.",
                "type": "array",
                "items": {"type": "string", "x-reference": "bot"},
                "default": [],
                "x-expression": false
            },
            "chats": {
                "title": "Chats",
                "description": "Only these chats, by their ids; none named = all that the bot serves.",
                "type": "array",
                "items": {"type": "integer"},
                "default": [],
                "x-expression": false
            },
            "commands": {
                "title": "Commands",
                "description": "Only messages that begin with one of these, say /report; none = every message.",
                "type": "array",
                "items": {"type": "string", "pattern": "^/[A-Za-z0-9_]{1,32}$"},
                "default": [],
                "x-expression": false
            },
            "group_messages": {
                "title": "Messages in groups",
                "description": "Of groups: addressed = only what is said to the bot, by a reply, its @name or a command; stored = the rest starts nothing, but stands in the conversation, for the next execution to read; all = every message starts an execution.",
                "type": "string",
                "enum": ["addressed", "stored", "all"],
                "default": "addressed",
                "x-expression": false
            }
        })"),
        .behaviour = trigger{trigger_source::telegram},
    };
}

} // namespace postrider::agent::flow
