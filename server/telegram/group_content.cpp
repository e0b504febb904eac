#include "server/telegram/group_content.hpp"

#include "base/utf8.hpp"
#include "server/telegram/attachments.hpp"
#include "server/telegram/author.hpp"
#include "server/telegram/bot_api_bodies.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace postrider::telegram {

namespace {

using base::json_reader;

constexpr std::array service_members{
    "new_chat_members",
    "left_chat_member",
    "new_chat_title",
    "new_chat_photo",
    "delete_chat_photo",
    "pinned_message",
    "migrate_to_chat_id",
    "migrate_from_chat_id",
    "group_chat_created",
    "supergroup_chat_created",
    "channel_chat_created",
    "forum_topic_created",
    "forum_topic_edited",
    "forum_topic_closed",
    "forum_topic_reopened",
    "message_auto_delete_timer_changed",
    "video_chat_started",
    "video_chat_ended"};

// Telegram sends 100 entities and 100 buttons at most.
constexpr std::size_t most_parts = 100;

std::string short_text(json_reader const& object, std::string_view member) {
    return base::shortened(object[member].string_or(""), longest_name);
}

std::optional<std::string> words_of_entity(std::string_view text, json_reader const& entity) {
    auto const begin = base::byte_of_utf16(text, entity["offset"].int64_or(-1));
    if (!begin) return std::nullopt;
    auto const rest = text.substr(*begin);
    auto const length = base::byte_of_utf16(rest, entity["length"].int64_or(-1));
    if (!length) return std::nullopt;
    return std::string(rest.substr(0, *length));
}

void read_entity(json_reader const& entity, std::string words, agent::group_message& message) {
    auto const type = entity["type"].string_or("");
    if (type == "url") {
        message.links.push_back({std::move(words)});
    } else if (type == "text_link") {
        message.links.push_back({entity["url"].string_or(""), std::move(words)});
    } else if (type == "mention" && words.size() > 1) {
        message.mentions.push_back({.username = words.substr(1)});
    } else if (type == "text_mention") {
        auto person = read_named_person(entity["user"]);
        person.name = std::move(words);
        message.mentions.push_back(std::move(person));
    } else if (type == "spoiler") {
        message.spoilers.push_back(std::move(words));
    } else if (type == "custom_emoji") {
        ++message.custom_emoji;
    }
}

void read_entities(json_reader const& entities, agent::group_message& message) {
    auto const list = entities.items_or_none();
    auto const count = std::min(list.size(), most_parts);
    for (std::size_t at = 0; at < count; ++at)
        if (auto words = words_of_entity(message.text, list[at]))
            read_entity(list[at], std::move(*words), message);
}

// The words and the links of a rich message's blocks, whose forms are many: all that stands as text.
void read_blocks(json_reader const& part, agent::group_message& message) {
    for (auto const& item : part.items_or_none()) {
        if (item.is_string()) message.text += item.string() + " ";
        read_blocks(item, message);
    }
    if (!part.is_object()) return;
    for (auto const& member : part.raw()->get_object()) {
        auto const inner = part[std::string_view(member.key())];
        if (member.key() == "text" && inner.is_string())
            message.text += inner.string() + " ";
        else if (member.key() == "url" && inner.is_string())
            message.links.push_back({inner.string()});
        else
            read_blocks(inner, message);
    }
}

void read_text(json_reader const& root, agent::group_message& message) {
    for (auto const* member : {"text", "caption"})
        if (message.text.empty()) message.text = root[member].string_or("");
    read_entities(root[root["text"] ? "entities" : "caption_entities"], message);
    if (message.text.empty()) read_blocks(root["rich_message"]["blocks"], message);
}

agent::message_sender read_sender(json_reader const& root) {
    agent::message_sender sender;
    auto const person = root["from"];
    sender.user = user_id{person["id"].int64_or(0)};
    sender.language = short_text(person, "language_code");
    auto const chat = root["sender_chat"];
    if (!chat) {
        bool const is_bot = person["is_bot"].boolean_or(false);
        sender.kind = is_bot ? agent::sender_kind::bot : agent::sender_kind::member;
        sender.name = base::shortened(name_of(person), longest_name);
        sender.username = short_text(person, "username");
        return sender;
    }
    sender.chat = chat_id{chat["id"].int64_or(0)};
    sender.name = short_text(chat, "title");
    sender.username = short_text(chat, "username");
    bool const is_own_group = sender.chat == chat_id{root["chat"]["id"].int64_or(0)};
    sender.kind = agent::sender_kind::channel;
    if (is_own_group) sender.kind = agent::sender_kind::anonymous_admin;
    if (root["is_automatic_forward"].boolean_or(false))
        sender.kind = agent::sender_kind::linked_channel;
    return sender;
}

void read_replies(json_reader const& root, agent::group_message& message) {
    message.quote = base::shortened(root["quote"]["text"].string_or(""), longest_quote);
    // Telegram gives every message of a forum topic the topic's first one as its reply target.
    if (auto const replied = root["reply_to_message"]; replied && !replied["forum_topic_created"]) {
        agent::inside_reply reply;
        reply.message = telegram_message_id{replied["message_id"].int64_or(0)};
        auto const chat = replied["sender_chat"];
        if (!chat) reply.user = user_id{replied["from"]["id"].int64_or(0)};
        reply.name = chat ? short_text(chat, "title")
                          : base::shortened(name_of(replied["from"]), longest_name);
        for (auto const* member : {"text", "caption"})
            if (reply.text.empty())
                reply.text = base::shortened(replied[member].string_or(""), longest_quote);
        message.reply = std::move(reply);
    }
    if (auto const elsewhere = root["external_reply"])
        message.external_reply =
            agent::outside_reply{name_of_origin(elsewhere["origin"]), read_media_kind(elsewhere)};
    else if (root["reply_to_story"])
        message.external_reply =
            agent::outside_reply{short_text(root["reply_to_story"]["chat"], "title"), "story"};
}

void read_keyboard(json_reader const& markup, agent::group_message& message) {
    message.has_keyboard = static_cast<bool>(markup);
    for (auto const& row : markup["inline_keyboard"].items_or_none())
        for (auto const& button : row.items_or_none()) {
            auto url = button["url"].string_or("");
            if (url.empty() || message.buttons.size() == most_parts) continue;
            message.buttons.push_back({std::move(url), short_text(button, "text")});
        }
}

void read_people(json_reader const& root, agent::group_message& message) {
    for (auto const& user : root["new_chat_members"].items_or_none())
        message.people.push_back(read_named_person(user));
    if (auto const user = root["left_chat_member"])
        message.people.push_back(read_named_person(user));
}

} // namespace

std::string read_service(json_reader const& message) {
    auto const* member = std::ranges::find_if(service_members, [&](auto const* name) {
        return static_cast<bool>(message[name]);
    });
    return member == service_members.end() ? std::string() : *member;
}

agent::named_person read_named_person(json_reader const& user) {
    return {
        user_id{user["id"].int64_or(0)},
        base::shortened(name_of(user), longest_name),
        short_text(user, "username"),
        user["is_bot"].boolean_or(false)};
}

agent::group_message read_group_message(json_reader const& root) {
    agent::group_message message;
    message.sender = read_sender(root);
    message.date = root["edit_date"].int64_or(root["date"].int64_or(0));
    read_text(root, message);
    read_replies(root, message);
    if (auto const origin = root["forward_origin"]) message.forward = read_forward_origin(origin);
    if (auto const contact = root["contact"])
        message.contact = agent::shared_contact{
            base::shortened(name_of(contact), longest_name),
            short_text(contact, "phone_number"),
            user_id{contact["user_id"].int64_or(0)}};
    if (auto const bot = root["via_bot"]) message.via_bot = read_named_person(bot);
    read_keyboard(root["reply_markup"], message);
    message.media = read_media_kind(root);
    message.album = root["media_group_id"].string_or("");
    message.service = read_service(root);
    read_people(root, message);
    return message;
}

} // namespace postrider::telegram
