#include "agent/moderation/offence.hpp"

#include "agent/talk/group_event.hpp"
#include "base/json/json.hpp"

namespace postrider::agent {

namespace {

std::string shown_author(std::string name, std::string const& username) {
    if (username.empty()) return name;
    return name.empty() ? "@" + username : std::move(name) + " (@" + username + ")";
}

// Of a reaction, a request to join or a change of a member.
message_sender acting_person(base::json_reader const& item) {
    message_sender sender;
    auto const person = item["person"];
    sender.user = user_id{person["user"].int64_or(item["user"].int64_or(0))};
    if (auto const chat = item["sender_chat"]) sender.chat = chat_id{chat.int64_or(0)};
    sender.name = person["name"].string_or(item["name"].string_or(""));
    sender.username = person["username"].string_or("");
    return sender;
}

} // namespace

std::optional<offence> read_offence(boost::json::value const& item) {
    base::json_reader const root{item};
    auto const event = group_event_from(root["event"].string_or("message"));
    bool const is_message = event == group_event::message || event == group_event::edit;
    auto const seen = group_message_from(item);
    auto const sender = is_message ? seen.sender : acting_person(root);
    offence read;
    read.group = address_from(root);
    auto& caught = read.caught;
    caught.bot = read.group.bot;
    caught.sender_chat = sender.chat;
    caught.key.chat = read.group.chat;
    caught.key.author = sender.chat ? user_id{base::raw(*sender.chat)} : sender.user;
    if (is_message) caught.key.message = telegram_message_id{root["message"].int64_or(0)};
    read.message = caught.key.message;
    caught.name = shown_author(sender.name, sender.username);
    if (is_message) caught.album = seen.album;
    caught.text = seen.text;
    if (auto const verdict = root["verdict"]) caught.verdict = *verdict.raw();
    read.may_be_touched =
        sender.kind != sender_kind::anonymous_admin && sender.kind != sender_kind::linked_channel;
    if (!read.group.is_complete() || base::raw(caught.key.author) == 0) return std::nullopt;
    return read;
}

moderation ban_of(spam::caught_message const& caught) {
    if (caught.sender_chat) return ban_sender_chat{*caught.sender_chat};
    return ban_member{caught.key.author};
}

moderation unban_of(spam::caught_message const& caught) {
    if (caught.sender_chat) return unban_sender_chat{*caught.sender_chat};
    return unban_member{caught.key.author};
}

} // namespace postrider::agent
