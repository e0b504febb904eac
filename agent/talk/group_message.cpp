#include "agent/talk/group_message.hpp"

#include "base/json/json.hpp"
#include "base/names.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent {

namespace json = boost::json;

namespace {

constexpr base::names<sender_kind, 5> sender_kinds{{
    {sender_kind::member, "member"},
    {sender_kind::bot, "bot"},
    {sender_kind::anonymous_admin, "anonymous_admin"},
    {sender_kind::linked_channel, "linked_channel"},
    {sender_kind::channel, "channel"},
}};

void put(json::object& object, std::string_view member, std::string const& text) {
    if (!text.empty()) object[member] = text;
}

void put(json::object& object, std::string_view member, user_id user) {
    if (user != user_id{}) object[member] = base::raw(user);
}

json::object part_json(message_sender const& sender) {
    json::object object{{"kind", to_string(sender.kind)}, {"user", base::raw(sender.user)}};
    if (sender.chat) object["chat"] = base::raw(*sender.chat);
    put(object, "name", sender.name);
    put(object, "username", sender.username);
    put(object, "language", sender.language);
    return object;
}

json::object part_json(message_link const& link) {
    json::object object{{"url", link.url}};
    put(object, "text", link.text);
    return object;
}

json::value part_json(std::string const& text) {
    return json::value(text);
}

json::object part_json(named_person const& person) {
    return to_json(person);
}

json::object part_json(inside_reply const& reply) {
    json::object object{{"message", base::raw(reply.message)}};
    put(object, "user", reply.user);
    put(object, "name", reply.name);
    put(object, "text", reply.text);
    if (reply.is_own) object["own"] = true;
    return object;
}

json::object part_json(outside_reply const& reply) {
    json::object object;
    put(object, "name", reply.name);
    put(object, "media", reply.media);
    return object;
}

json::object part_json(storage::message_forward const& forward) {
    return to_json(forward);
}

json::object part_json(shared_contact const& contact) {
    json::object object{{"name", contact.name}};
    put(object, "phone", contact.phone);
    put(object, "user", contact.user);
    return object;
}

template<class Part>
void put(json::object& object, std::string_view member, std::vector<Part> const& parts) {
    if (parts.empty()) return;
    json::array list;
    for (auto const& part : parts) list.push_back(part_json(part));
    object[member] = std::move(list);
}

template<class Part>
void put(json::object& object, std::string_view member, std::optional<Part> const& part) {
    if (part) object[member] = part_json(*part);
}

user_id user_in(base::json_reader const& object) {
    return user_id{object["user"].int64_or(0)};
}

message_sender sender_from(base::json_reader const& object) {
    message_sender sender;
    sender.kind = sender_kind_from(object["kind"].string_or("")).value_or(sender_kind::member);
    sender.user = user_in(object);
    if (auto const chat = object["chat"]) sender.chat = chat_id{chat.int64_or(0)};
    sender.name = object["name"].string_or("");
    sender.username = object["username"].string_or("");
    sender.language = object["language"].string_or("");
    return sender;
}

std::vector<message_link> links_from(base::json_reader const& list) {
    std::vector<message_link> links;
    for (auto const& link : list.items_or_none())
        links.push_back({link["url"].string_or(""), link["text"].string_or("")});
    return links;
}

named_person person_from(base::json_reader const& object) {
    return {
        user_in(object),
        object["name"].string_or(""),
        object["username"].string_or(""),
        object["is_bot"].boolean_or(false)};
}

std::vector<named_person> people_from(base::json_reader const& list) {
    std::vector<named_person> people;
    for (auto const& person : list.items_or_none()) people.push_back(person_from(person));
    return people;
}

storage::message_forward forward_from(base::json_reader const& object) {
    storage::message_forward forward{object["kind"].string_or(""), {}};
    if (auto const id = object["id"]) forward.id = id.int64_or(0);
    forward.name = object["name"].string_or("");
    forward.username = object["username"].string_or("");
    if (auto const number = object["message"])
        forward.message = telegram_message_id{number.int64_or(0)};
    if (auto const date = object["date"])
        forward.date.emplace(std::chrono::seconds{date.int64_or(0)});
    return forward;
}

// How the message is connected with others.
void read_relations(group_message& message, base::json_reader const& root) {
    if (auto const reply = root["reply"])
        message.reply = inside_reply{
            telegram_message_id{reply["message"].int64_or(0)},
            user_in(reply),
            reply["name"].string_or(""),
            reply["text"].string_or(""),
            reply["own"].boolean_or(false)};
    if (auto const reply = root["external_reply"])
        message.external_reply =
            outside_reply{reply["name"].string_or(""), reply["media"].string_or("")};
    if (auto const forward = root["forward"]) message.forward = forward_from(forward);
    if (auto const contact = root["contact"])
        message.contact = shared_contact{
            contact["name"].string_or(""), contact["phone"].string_or(""), user_in(contact)};
    if (auto const bot = root["via_bot"]) message.via_bot = person_from(bot);
}

} // namespace

std::string_view to_string(sender_kind kind) noexcept {
    return base::name_of(sender_kinds, kind);
}

std::optional<sender_kind> sender_kind_from(std::string_view name) noexcept {
    return base::named(sender_kinds, name);
}

json::object to_json(named_person const& person) {
    json::object object;
    put(object, "user", person.user);
    put(object, "name", person.name);
    put(object, "username", person.username);
    if (person.is_bot) object["is_bot"] = true;
    return object;
}

json::object to_json(group_message const& message) {
    json::object object{{"sender", part_json(message.sender)}, {"text", message.text}};
    if (message.date != 0) object["date"] = message.date;
    put(object, "links", message.links);
    put(object, "mentions", message.mentions);
    if (message.custom_emoji > 0) object["custom_emoji"] = message.custom_emoji;
    put(object, "spoilers", message.spoilers);
    put(object, "quote", message.quote);
    put(object, "reply", message.reply);
    put(object, "external_reply", message.external_reply);
    put(object, "forward", message.forward);
    put(object, "contact", message.contact);
    put(object, "via_bot", message.via_bot);
    if (message.has_keyboard) object["keyboard"] = true;
    put(object, "buttons", message.buttons);
    put(object, "media", message.media);
    put(object, "album", message.album);
    put(object, "service", message.service);
    put(object, "people", message.people);
    return object;
}

group_message group_message_from(json::value const& value) {
    base::json_reader const root{value};
    group_message message;
    message.sender = sender_from(root["sender"]);
    message.date = root["date"].int64_or(0);
    message.text = root["text"].string_or("");
    message.links = links_from(root["links"]);
    message.mentions = people_from(root["mentions"]);
    message.custom_emoji = root["custom_emoji"].int64_or(0);
    for (auto const& words : root["spoilers"].items_or_none())
        message.spoilers.push_back(words.string_or(""));
    message.quote = root["quote"].string_or("");
    read_relations(message, root);
    message.has_keyboard = root["keyboard"].boolean_or(false);
    message.buttons = links_from(root["buttons"]);
    message.media = root["media"].string_or("");
    message.album = root["album"].string_or("");
    message.service = root["service"].string_or("");
    message.people = people_from(root["people"]);
    return message;
}

} // namespace postrider::agent
