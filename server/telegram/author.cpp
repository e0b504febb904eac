#include "server/telegram/author.hpp"

#include "base/json/nul.hpp"
#include "base/utf8.hpp"
#include "server/telegram/attachments.hpp"
#include "server/telegram/bot_api_bodies.hpp"

#include <algorithm>

namespace postrider::telegram {

namespace {

using base::json_reader;

std::string name_in(json_reader const& object, std::string_view member) {
    return base::shortened(object[member].string_or(""), longest_name);
}

// A user, or a chat, by Telegram's own word for the kind of origin.
void read_first_sender(json_reader const& object, storage::message_forward& forward) {
    if (auto const user = object["sender_user"]) {
        forward.id = user["id"].int64_or(0);
        forward.name = base::shortened(name_of(user), longest_name);
        forward.username = name_in(user, "username");
        return;
    }
    auto const chat = object[object["chat"] ? "chat" : "sender_chat"];
    if (!chat) {
        forward.name = name_in(object, "sender_user_name");
        return;
    }
    forward.id = chat["id"].int64_or(0);
    forward.name = name_in(chat, "title");
    forward.username = name_in(chat, "username");
}

} // namespace

storage::message_author read_author(json_reader const& message) {
    storage::message_author author;
    if (auto const from = message["from"]) {
        author.username = name_in(from, "username");
        author.first_name = name_in(from, "first_name");
        author.last_name = name_in(from, "last_name");
        author.is_bot = from["is_bot"].boolean_or(false);
    }
    if (auto const chat = message["sender_chat"]) author.chat_username = name_in(chat, "username");
    // The second one is a message of another chat.
    for (auto const& replied :
         {message["reply_to_message"]["from"], message["external_reply"]["origin"]["sender_user"]})
        if (auto const user = replied["id"].int64_or(0)) author.reply_user = user_id{user};
    // Words of nobody known could not be erased for them.
    if (author.reply_user)
        author.quote = base::shortened(message["quote"]["text"].string_or(""), longest_quote);
    if (auto const origin = message["forward_origin"]) author.forward = read_forward_origin(origin);
    author.media = read_media_kind(message);
    return author;
}

storage::message_forward read_forward_origin(json_reader const& object) {
    storage::message_forward forward{name_in(object, "type"), {}};
    read_first_sender(object, forward);
    if (auto const id = object["message_id"].int64_or(0); id > 0)
        forward.message = telegram_message_id{id};
    if (auto const date = object["date"].int64_or(0); date > 0)
        forward.date.emplace(std::chrono::seconds{date});
    return forward;
}

std::string name_of_origin(json_reader const& origin) {
    return origin ? read_forward_origin(origin).name : std::string();
}

bool has_nul(storage::message_author const& author) {
    using base::has_nul;
    auto const& forward = author.forward;
    return has_nul(author.username) || has_nul(author.first_name) || has_nul(author.last_name) ||
           has_nul(author.chat_username) || has_nul(author.quote) ||
           (forward &&
            (has_nul(forward->kind) || has_nul(forward->name) || has_nul(forward->username)));
}

} // namespace postrider::telegram
