#include "server/telegram/bot_api_bodies.hpp"

#include "base/json/text.hpp"
#include "net/multipart.hpp"

#include <boost/json/array.hpp>

namespace postrider::telegram {

namespace {

using json_object = base::json::object;
using base::json::array;

json_object inline_keyboard(agent::button_rows const& rows) {
    array keyboard;
    for (auto const& row : rows) {
        array cells;
        for (auto const& button : row) {
            json_object cell{{"text", button.text}};
            if (button.url.empty())
                cell["callback_data"] = button.data;
            else
                cell["url"] = button.url;
            cells.push_back(std::move(cell));
        }
        keyboard.push_back(std::move(cells));
    }
    return {{"inline_keyboard", std::move(keyboard)}};
}

void add_text(json_object& body, agent::message_content const& content, std::string_view member) {
    if (content.text.empty()) return;
    body[member] = content.text;
    if (content.markup == agent::text_markup::html) body["parse_mode"] = "HTML";
    if (member == "text") body["link_preview_options"] = {{"is_disabled", !content.link_preview}};
}

} // namespace

base::json::array kinds_of_updates(update_kinds const& more) {
    base::json::array kinds{"message", "edited_message", "callback_query", "my_chat_member"};
    if (more.member_changes) kinds.push_back("chat_member");
    if (more.reactions) kinds.push_back("message_reaction");
    if (more.join_requests) kinds.push_back("chat_join_request");
    if (more.business)
        for (auto const* kind :
             {"business_connection",
              "business_message",
              "edited_business_message",
              "deleted_business_messages"})
            kinds.push_back(kind);
    if (more.stops) kinds.push_back("stopped_message_generation");
    return kinds;
}

json_object body_of_place(chat_id chat, std::optional<business_route> const& business) {
    if (!business) return {{"chat_id", base::raw(chat)}};
    return {
        {"business_connection_id", business->connection}, {"chat_id", base::raw(business->chat)}};
}

json_object body_of(command_list const& list) {
    json_object body;
    if (list.scope == command_scope::private_chats)
        body["scope"] = json_object{{"type", "all_private_chats"}};
    if (!list.language.empty()) body["language_code"] = list.language;
    return body;
}

json_object body_of(send_request const& message) {
    auto const& content = message.content;
    auto body = body_of_place(message.chat, message.business);
    if (content.media) {
        bool const photo = content.media->kind == agent::media_kind::photo;
        body[photo ? "photo" : "document"] = content.media->source;
    }
    add_text(body, content, content.media ? "caption" : "text");
    if (!content.buttons.empty()) body["reply_markup"] = inline_keyboard(content.buttons);
    if (message.thread != thread_id{}) body["message_thread_id"] = base::raw(message.thread);
    if (message.reply_to != telegram_message_id{})
        body["reply_parameters"] = {
            {"message_id", base::raw(message.reply_to)},
            {"allow_sending_without_reply", true},
        };
    return body;
}

wire_body upload_of(send_request const& message, std::string const& bytes, std::string_view seed) {
    auto const& media = *message.content.media;
    std::string_view const member = media.kind == agent::media_kind::photo ? "photo" : "document";
    std::vector<net::form_part> parts;
    for (auto const& [name, value] : body_of(message)) {
        if (name == member) continue;
        auto const* text = value.if_string();
        parts.push_back({std::string(name), text ? std::string(*text) : base::json_text(value)});
    }
    parts.push_back({std::string(member), bytes, media.upload->name, media.upload->type});
    auto body = net::encode_multipart(parts, seed);
    return {std::move(body.text), std::move(body.content_type)};
}

// Without a keyboard in the request the message loses the one that it has.
json_object body_of(edit_request const& message) {
    auto const& content = message.content;
    auto body = body_of_place(message.chat, message.business);
    body["message_id"] = base::raw(message.message);
    add_text(body, content, message.is_caption ? "caption" : "text");
    if (!content.buttons.empty()) body["reply_markup"] = inline_keyboard(content.buttons);
    return body;
}

agent::member_standing standing_of(base::json_reader const& member) {
    using agent::member_standing;
    auto const status = member["status"].string();
    if (status == "creator") return member_standing::owner;
    if (status == "administrator") return member_standing::administrator;
    if (status == "left") return member_standing::left;
    if (status == "kicked") return member_standing::banned;
    if (status != "restricted") return member_standing::member;
    bool const is_there = member["is_member"].boolean_or(true);
    return is_there ? member_standing::restricted : member_standing::left;
}

agent::chat_member member_from(base::json_reader const& member) {
    auto const user = member["user"];
    agent::chat_member result{user_id{user["id"].int64_or(0)}, name_of(user), standing_of(member)};
    result.username = user["username"].string_or("");
    result.first_name = user["first_name"].string_or("");
    result.last_name = user["last_name"].string_or("");
    bool const is_owner = result.standing == agent::member_standing::owner;
    auto const may = [&](std::string_view right) {
        return is_owner || member[right].boolean_or(false);
    };
    result.may_delete = may("can_delete_messages");
    result.may_restrict = may("can_restrict_members");
    result.may_invite = may("can_invite_users");
    return result;
}

std::string name_of(base::json_reader const& user) {
    auto name = user["first_name"].string_or("");
    if (auto last = user["last_name"].string_or(""); !last.empty()) name += " " + last;
    return name;
}

} // namespace postrider::telegram
