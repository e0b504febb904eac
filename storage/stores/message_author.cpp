#include "storage/stores/message_author.hpp"

#include <boost/json/object.hpp>

#include <array>

namespace postrider::storage {

namespace json = boost::json;

namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 4> origin_words{"person", "agent", "engine", "node"};

void add_text(json::object& to, std::string_view name, std::string const& text) {
    if (!text.empty()) to[name] = text;
}

} // namespace

std::string_view to_string(message_origin origin) noexcept {
    return origin_words[static_cast<std::size_t>(origin)];
}

json::object to_json(message_forward const& forward) {
    json::object object{{"kind", forward.kind}};
    if (forward.id) object["id"] = *forward.id;
    add_text(object, "name", forward.name);
    add_text(object, "username", forward.username);
    if (forward.message) object["message"] = base::raw(*forward.message);
    if (forward.date) object["date"] = forward.date->time_since_epoch().count();
    return object;
}

json::value to_json(message_author const& author) {
    json::object object;
    add_text(object, "username", author.username);
    add_text(object, "first_name", author.first_name);
    add_text(object, "last_name", author.last_name);
    if (author.is_bot) object["is_bot"] = true;
    add_text(object, "chat_username", author.chat_username);
    if (author.reply_user) object["reply_user"] = base::raw(*author.reply_user);
    add_text(object, "quote", author.quote);
    if (author.forward) object["forward"] = to_json(*author.forward);
    add_text(object, "media", author.media);
    if (object.empty()) return {};
    return object;
}

} // namespace postrider::storage
