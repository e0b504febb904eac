#include "agent/flow/nodes/describe.hpp"
#include "base/json/json.hpp"
#include "base/names.hpp"

namespace postrider::agent::flow {

namespace {

constexpr base::names<group_hearing, 3> hearings{{
    {group_hearing::addressed, "addressed"},
    {group_hearing::stored, "stored"},
    {group_hearing::all, "all"},
}};

std::vector<std::string> texts_in(base::json_reader const& list) {
    std::vector<std::string> texts;
    for (auto const& text : list.items_or_none())
        if (text.is_string()) texts.push_back(text.string());
    return texts;
}

std::vector<std::int64_t> integers_in(base::json_reader const& list) {
    std::vector<std::int64_t> integers;
    for (auto const& number : list.items_or_none())
        if (number.raw() && number.raw()->is_int64()) integers.push_back(number.int64());
    return integers;
}

trigger_opening open_telegram_message(boost::json::object const& parameters) {
    boost::json::value const whole(parameters);
    base::json_reader const from(whole);
    message_opening messages;
    messages.bots = texts_in(from["bots"]);
    messages.chats = integers_in(from["chats"]);
    messages.commands = texts_in(from["commands"]);
    auto const hearing = base::named(hearings, from["group_messages"].string_or(""));
    messages.hearing = hearing.value_or(messages.hearing);
    return messages;
}

} // namespace

node_type describe_telegram_message() {
    return {
        .name = "telegram.message",
        .group = group::trigger,
        .title = "Telegram message",
        .documentation = R"(
            Starts an execution for each message that one of the bots gets. Its item has the
            message's `text`, the numbers of its `bot`, `chat`, `thread`, `user` and `message`, and its
            `images`, if there are any.
            Executions of one chat run one after the other, as `settings.mailbox` says.)"_folded,
        .outputs = {main_output()},
        .parameters = parameters(R"({
            "bots": {
                "title": "Bots",
                "description": "The bots whose messages start it; none named = all bots.",
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
                "description": "Messages of groups. addressed: only those to the bot, by a reply, its @name or a command. stored: other messages start nothing. The next execution reads them in the conversation. all: every message starts an execution.",
                "type": "string",
                "enum": ["addressed", "stored", "all"],
                "default": "addressed",
                "x-expression": false
            }
        })"),
        .behaviour =
            trigger{
                .source = trigger_source::message,
                .open = open_telegram_message,
                .item = item_fields(R"({
                    "text": {"type": "string", "description": "The person's text, without the @name of the bot. (image) for a picture without text."},
                    "bot": {"type": "integer", "description": "The bot's id."},
                    "chat": {"type": "integer", "description": "The chat's id."},
                    "thread": {"type": "integer", "description": "The topic's id; 0 = none."},
                    "user": {"type": "integer", "description": "The sender's id."},
                    "message": {"type": "integer", "description": "The message's id within the chat."},
                    "images": {"type": "array", "items": {"type": "object"}, "description": "The message's images, in the form of an agent's `images`. Missing without images."}
                })"),
            },
    };
}

} // namespace postrider::agent::flow
