#include "server/telegram/author.hpp"

#include "base/json/nul.hpp"
#include "base/utf8.hpp"
#include "server/telegram/attachments.hpp"
#include "server/telegram/bot_api_bodies.hpp"

#include <algorithm>

namespace postrider::telegram {

namespace {

using base::json_reader;

// A user, or a chat, by Telegram's own word for the kind of origin.
void read_first_sender(json_reader const& from, storage::message_forward& forward) {
    if (auto const user = from["sender_user"]) {
        forward.id = user["id"].int64_or(0);
        forward.name = name_of(user);
        forward.username = user["username"].string_or("");
        return;
    }
    auto const chat = from[from["chat"] ? "chat" : "sender_chat"];
    if (!chat) {
        forward.name = from["sender_user_name"].string_or("");
        return;
    }
    forward.id = chat["id"].int64_or(0);
    forward.name = chat["title"].string_or("");
    forward.username = chat["username"].string_or("");
}

storage::message_forward read_forward_origin(json_reader const& from) {
    storage::message_forward forward{from["type"].string_or(""), {}};
    read_first_sender(from, forward);
    if (auto const id = from["message_id"].int64_or(0); id > 0)
        forward.message = telegram_message_id{id};
    if (auto const date = from["date"].int64_or(0); date > 0)
        forward.date.emplace(std::chrono::seconds{date});
    return forward;
}

} // namespace

storage::message_author read_author(json_reader const& message) {
    storage::message_author author;
    if (auto const from = message["from"]) {
        author.username = from["username"].string_or("");
        author.first_name = from["first_name"].string_or("");
        author.last_name = from["last_name"].string_or("");
        author.is_bot = from["is_bot"].boolean_or(false);
    }
    if (auto const chat = message["sender_chat"])
        author.chat_username = chat["username"].string_or("");
    if (auto const user = message["reply_to_message"]["from"]["id"].int64_or(0))
        author.reply_user = user_id{user};
    author.quote = base::shortened(message["quote"]["text"].string_or(""), longest_quote);
    if (auto const origin = message["forward_origin"]) author.forward = read_forward_origin(origin);
    author.media = read_media_kind(message);
    return author;
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
