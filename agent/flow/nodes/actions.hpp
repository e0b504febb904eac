#pragma once
// What the nodes do that act on the outside: through the services and the steps of their run.
#include "agent/flow/node_run.hpp"

#include <string_view>

namespace postrider::agent::flow {

// Parameters of several of them, as members of their schemas' properties.
inline constexpr std::string_view format_and_buttons = R"(
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
    })";
inline constexpr std::string_view sending_place = R"(
    "bot": {
        "title": "Bot",
        "description": "The bot that sends; not written = the one that got the message.",
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
    })";

// nodes/telegram_*.cpp describe their parameters; each message that is sent comes out as an item.
base::awaitable<base::result<outputs>> send_telegram(node_run& run);
base::awaitable<base::result<outputs>> edit_telegram(node_run& run);
base::awaitable<base::result<outputs>> react_telegram(node_run& run);
base::awaitable<base::result<outputs>> delete_telegram(node_run& run);

// nodes/http_respond.cpp: answers the request that started the execution.
base::awaitable<base::result<outputs>> respond_http(node_run& run);

// nodes/call_flow.cpp: runs another flow with each item.
base::awaitable<base::result<outputs>> call_flow(node_run& run);

} // namespace postrider::agent::flow
