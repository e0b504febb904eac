#pragma once
// Parameters of several nodes of Telegram, as members of their schemas' properties.
#include <string>
#include <string_view>

namespace postrider::agent::flow {

inline constexpr std::string_view format_and_buttons = R"(
    "format": {
        "title": "Format",
        "description": "html: the tags b, i, u, s, code, pre, a and blockquote of the text are markup, and expressions insert plain text. A text whose tags do not fit together goes out without markup. Not written = text.",
        "type": "string",
        "enum": ["text", "html"],
        "x-expression": false
    },
    "buttons": {
        "title": "Buttons",
        "description": "Rows of buttons below the message. Each button opens a page.",
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
inline constexpr std::string_view topic_parameter = R"(
    "thread": {
        "title": "Topic",
        "description": "The id of a forum's topic; not written = that of the message, in its own chat.",
        "type": "integer"
    })";

// "bot" and "chat". `act`: what the bot does there: "sends".
inline std::string bot_and_chat(std::string_view act) {
    constexpr std::string_view before = R"(
    "bot": {
        "title": "Bot",
        "description": "The bot that )";
    constexpr std::string_view behind = R"(; not written = the bot that got the message.",
        "type": "string",
        "x-reference": "bot"
    },
    "chat": {
        "title": "Chat",
        "description": "The chat's id; not written = where the message came from.",
        "type": "integer"
    })";
    return std::string(before).append(act).append(behind);
}

} // namespace postrider::agent::flow
