#include "server/api/conversation_json.hpp"

namespace postrider::api {

boost::json::object to_json(storage::said_message const& message) {
    boost::json::object object{
        {"id", message.id},
        {"role", message.role},
        {"content", message.content},
        {"created_at", message.created_at},
        {"origin", message.origin},
    };
    if (!message.author.is_null()) object["author"] = message.author;
    if (!message.tool.empty()) {
        object["tool"] = message.tool;
        object["arguments"] = message.arguments;
    }
    if (auto const* shown = message.shown.if_object())
        for (auto const& [name, value] : *shown) object[name] = value;
    return object;
}

boost::json::object to_json(storage::conversation_entry const& entry) {
    auto const or_null = [](std::optional<std::string> const& text) {
        return text ? boost::json::value(*text) : boost::json::value();
    };
    auto const& conversation = entry.conversation;
    std::optional<std::string> agent;
    if (!conversation.agent.empty()) agent = conversation.agent;
    return {
        {"conversation_id", conversation.id},
        {"agent", or_null(agent)},
        {"created_at", entry.created_at},
        {"title", or_null(entry.title)},
        {"last_message_at", or_null(entry.last_message_at)},
    };
}

} // namespace postrider::api
