#include "server/telegram/bot_api_bodies.hpp"

#include <boost/json/array.hpp>

#include <chrono>

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
}

void add_until(json_object& body, std::optional<base::sys_time> until) {
    if (!until) return;
    auto const end = std::chrono::ceil<std::chrono::seconds>(*until);
    body["until_date"] = end.time_since_epoch().count();
}

} // namespace

json_object body_of(command_list const& list) {
    json_object body;
    if (list.scope == command_scope::private_chats)
        body["scope"] = json_object{{"type", "all_private_chats"}};
    if (!list.language.empty()) body["language_code"] = list.language;
    return body;
}

json_object body_of(send_request const& message) {
    auto const& content = message.content;
    json_object body{{"chat_id", base::raw(message.chat)}};
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

// Without a keyboard in the request the message loses the one that it has.
json_object body_of(edit_request const& message) {
    auto const& content = message.content;
    json_object body{
        {"chat_id", base::raw(message.chat)}, {"message_id", base::raw(message.message)}};
    add_text(body, content, message.is_caption ? "caption" : "text");
    if (!content.buttons.empty()) body["reply_markup"] = inline_keyboard(content.buttons);
    return body;
}

json_object body_of(chat_id chat, user_id user, agent::restriction const& terms) {
    json_object permissions;
    for (std::string_view const permission :
         {"can_send_messages",
          "can_send_audios",
          "can_send_documents",
          "can_send_photos",
          "can_send_videos",
          "can_send_video_notes",
          "can_send_voice_notes",
          "can_send_polls",
          "can_send_other_messages",
          "can_add_web_page_previews",
          "can_react_to_messages"})
        permissions[permission] = terms.may_send;
    json_object body{
        {"chat_id", base::raw(chat)},
        {"user_id", base::raw(user)},
        {"permissions", std::move(permissions)},
        {"use_independent_chat_permissions", true},
    };
    add_until(body, terms.until);
    return body;
}

json_object body_of(chat_id chat, user_id user, agent::ban_terms const& terms) {
    json_object body{{"chat_id", base::raw(chat)}, {"user_id", base::raw(user)}};
    if (terms.delete_messages) body["revoke_messages"] = true;
    add_until(body, terms.until);
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

std::string name_of(base::json_reader const& user) {
    auto name = user["first_name"].string_or("");
    if (auto last = user["last_name"].string_or(""); !last.empty()) name += " " + last;
    return name;
}

} // namespace postrider::telegram
