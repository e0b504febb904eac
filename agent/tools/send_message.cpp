#include "agent/tools/tool.hpp"
#include "base/json/json.hpp"

namespace postrider::agent {

namespace {

base::result<tool_message> compose(
    boost::json::object const& /*settings*/, boost::json::object const& arguments
) {
    tool_message message;
    message.content.text = std::string(arguments.at("text").as_string());
    message.content.markup = text_markup::markdown;
    if (auto const* answered = arguments.if_contains("reply_to_message_id"))
        message.answers = telegram_message_id{answered->to_number<std::int64_t>()};
    return message;
}

// Into the chat that the execution answers a model speaks anyway.
risk risk_of_message(
    boost::json::object const& settings, boost::json::object const& /*arguments*/
) {
    return settings.contains("chat") || settings.contains("bot") ? risk::medium : risk::low;
}

} // namespace

extern constinit tool const send_message_tool{
    .name = "send_message",
    .title = "Send a message",
    .documentation = R"(
        Lets an agent send messages while it works, several in one turn if it has more to say. They
        go to the chat that started the execution, or to the one that the node names; a model cannot
        choose another one.

        An agent with `speaks: tools` shows people nothing else.)"_folded,
    .description = R"(
        Sends a message to the chat at once. Several arrive in the order in which you send them. Returns
        the message's id.)"_folded,
    .arguments = R"({
        "type": "object",
        "properties": {
            "text": {
                "type": "string",
                "minLength": 1,
                "maxLength": 16000,
                "pattern": "\\S",
                "description": "In the language of the chat. May be Markdown."
            },
            "reply_to_message_id": {
                "type": "integer",
                "minimum": 1,
                "maximum": 9007199254740991,
                "description": "The id of the message that it answers, where that has to be shown."
            }
        },
        "required": ["text"],
        "additionalProperties": false
    })",
    .settings = R"({
        "bot": {
            "title": "Bot",
            "description": "The bot that sends; not written = the bot that got the message.",
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
        }
    })",
    .risk = risk_of_message,
    .effect_class = queue::effect_class::at_least_once,
    .message = compose,
};

} // namespace postrider::agent
