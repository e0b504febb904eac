#include "storage/stores/message_author.hpp"

#include "base/json/json.hpp"

#include <boost/json/object.hpp>

#include <algorithm>
#include <array>

namespace postrider::storage {

namespace json = boost::json;

namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 4> origin_words{"person", "agent", "engine", "node"};

void add_text(json::object& to, std::string_view name, std::string const& text) {
    if (!text.empty()) to[name] = text;
}

json::object forward_json(message_forward const& forward) {
    json::object object{{"kind", forward.kind}};
    if (forward.id) object["id"] = *forward.id;
    add_text(object, "name", forward.name);
    add_text(object, "username", forward.username);
    if (forward.message) object["message"] = base::raw(*forward.message);
    if (forward.date) object["date"] = forward.date->time_since_epoch().count();
    return object;
}

message_forward read_forward(base::json_reader const& from) {
    message_forward forward{from["kind"].string_or(""), {}};
    if (from["id"]) forward.id = from["id"].int64_or(0);
    forward.name = from["name"].string_or("");
    forward.username = from["username"].string_or("");
    if (from["message"]) forward.message = telegram_message_id{from["message"].int64_or(0)};
    if (from["date"]) forward.date.emplace(std::chrono::seconds{from["date"].int64_or(0)});
    return forward;
}

} // namespace

std::string_view to_string(message_origin origin) noexcept {
    return origin_words[static_cast<std::size_t>(origin)];
}

std::optional<message_origin> origin_from_string(std::string_view text) noexcept {
    auto const* word = std::ranges::find(origin_words, text);
    if (word == origin_words.end()) return std::nullopt;
    return static_cast<message_origin>(word - origin_words.begin());
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
    if (author.forward) object["forward"] = forward_json(*author.forward);
    add_text(object, "media", author.media);
    if (object.empty()) return {};
    return object;
}

message_author author_from(json::value const& stored) {
    base::json_reader const from{stored};
    message_author author;
    author.username = from["username"].string_or("");
    author.first_name = from["first_name"].string_or("");
    author.last_name = from["last_name"].string_or("");
    author.is_bot = from["is_bot"].boolean_or(false);
    author.chat_username = from["chat_username"].string_or("");
    if (auto const user = from["reply_user"].int64_or(0)) author.reply_user = user_id{user};
    author.quote = from["quote"].string_or("");
    if (auto const forward = from["forward"]) author.forward = read_forward(forward);
    author.media = from["media"].string_or("");
    return author;
}

} // namespace postrider::storage
