#include "server/api/conversation_json.hpp"

namespace postrider::api {

boost::json::object to_json(storage::said_message const& message) {
    boost::json::object object{
        {"id", message.id},
        {"role", message.role},
        {"content", message.content},
        {"created_at", message.created_at},
    };
    if (!message.tool.empty()) {
        object["tool"] = message.tool;
        object["arguments"] = message.arguments;
    }
    if (auto const* shown = message.shown.if_object())
        for (auto const& [name, value] : *shown) object[name] = value;
    return object;
}

} // namespace postrider::api
