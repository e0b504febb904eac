#include "agent/tools/tool.hpp"

namespace postrider::agent {

namespace {

using base::errc;

base::awaitable<base::result<tool_output>> run_react(
    tool_context& context, boost::json::object arguments
) {
    auto const& asking = context.requester();
    auto const chat = address_of(asking);
    if (!chat.is_complete() || !context.out())
        co_return base::error(errc::refused, "this run has no chat");
    if (asking.is_silent)
        co_return tool_output("Not done: this execution only shows what would happen.");
    telegram_message_id const message{arguments.at("message_id").to_number<std::int64_t>()};
    std::string emoji(arguments.at("emoji").as_string());
    bool const takes_away = emoji.empty();
    auto const reacted = co_await context.out()->react(chat, message, std::move(emoji));
    if (!reacted) co_return reacted.error();
    co_return tool_output(takes_away ? "The reaction is gone." : "Reacted.");
}

} // namespace

extern constinit tool const react_tool{
    .name = "react",
    .title = "React",
    .documentation =
        "Lets an agent put a reaction on a message of the chat that started the execution.",
    .description = R"(
        Puts an emoji on a message of this chat, in place of words. A message has one of yours at most; an empty
        emoji takes it away. Telegram takes its own reactions only, such as 👍 👎 ❤ 🔥 🎉 🤔 👀 🙏.)"_folded,
    .arguments = R"({
        "type": "object",
        "properties": {
            "message_id": {
                "type": "integer",
                "minimum": 1,
                "maximum": 9007199254740991,
                "description": "The message's id."
            },
            "emoji": {"type": "string", "maxLength": 16, "description": "One emoji."}
        },
        "required": ["message_id", "emoji"],
        "additionalProperties": false
    })",
    .effect_class = queue::effect_class::idempotent,
    .run = run_react,
};

} // namespace postrider::agent
