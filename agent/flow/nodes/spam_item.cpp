#include "agent/flow/nodes/spam_item.hpp"

#include "base/json/json.hpp"

#include <array>

namespace postrider::agent::flow {

namespace {

using base::json_reader;

constexpr std::array media_kinds{
    std::pair{std::string_view("photo"), spam::media::photo},
    std::pair{std::string_view("video"), spam::media::video},
    std::pair{std::string_view("animation"), spam::media::video},
    std::pair{std::string_view("video_note"), spam::media::video},
    std::pair{std::string_view("audio"), spam::media::audio},
    std::pair{std::string_view("voice"), spam::media::audio},
    std::pair{std::string_view("document"), spam::media::document},
    std::pair{std::string_view("sticker"), spam::media::sticker},
    std::pair{std::string_view("contact"), spam::media::contact},
    std::pair{std::string_view("location"), spam::media::location},
    std::pair{std::string_view("venue"), spam::media::location},
    std::pair{std::string_view("poll"), spam::media::poll}};

spam::media media_of(std::string_view word) {
    for (auto const& kind : media_kinds)
        if (kind.first == word) return kind.second;
    return spam::media::other;
}

// A day ahead at most, as clocks differ: what is stored must be a time.
std::chrono::sys_seconds sending_time(std::int64_t date, base::sys_time now) {
    auto const present = std::chrono::floor<std::chrono::seconds>(now);
    auto const latest = present + std::chrono::days{1};
    if (date <= 0 || date > latest.time_since_epoch().count()) return present;
    return std::chrono::sys_seconds(std::chrono::seconds(date));
}

std::string mention_of(named_person const& person) {
    return person.username.empty() ? "id:" + base::to_string(person.user) : person.username;
}

spam::message content_of(group_message const& message) {
    spam::message content;
    content.text = message.text;
    content.author.first_name = message.sender.name;
    content.author.username = message.sender.username;
    if (!message.media.empty()) content.attached.push_back(media_of(message.media));
    for (auto const& link : message.links) content.links.push_back(link.url);
    for (auto const& button : message.buttons) content.links.push_back(button.url);
    for (auto const& person : message.mentions) content.mentions.push_back(mention_of(person));
    content.quote = message.quote;
    content.album = message.album;
    content.is_forward = message.forward.has_value();
    content.is_external_reply = message.external_reply.has_value();
    content.has_keyboard = message.has_keyboard;
    content.is_via_bot = message.via_bot.has_value();
    content.is_giveaway = message.media.starts_with("giveaway");
    return content;
}

// The person who reacted, or the chat in whose name somebody did.
void read_reaction_item(json_reader const& root, spam_item& read) {
    auto const person = root["person"];
    read.user = user_id{person["user"].int64_or(0)};
    read.is_taken_back = root["reactions"].items_or_none().empty();
    read.content.is_reaction = true;
    read.content.author.id = root["sender_chat"].int64_or(base::raw(read.user));
    read.content.author.first_name = person["name"].string_or("");
    read.content.author.username = person["username"].string_or("");
}

void read_message_item(json_reader const& root, spam_item& read) {
    auto const message = group_message_from(*root.raw());
    read.sender = message.sender.kind;
    read.user = message.sender.user;
    if (read.user == user_id{}) read.user = user_id{root["user"].int64_or(0)};
    read.is_service = !message.service.empty();
    read.content = root["sender"] ? content_of(message) : spam::message_of(message.text);
    read.content.author.id =
        message.sender.chat ? base::raw(*message.sender.chat) : base::raw(read.user);
    read.content.is_edit = read.event == group_event::edit;
}

bool is_judged(group_event event) noexcept {
    return event == group_event::message || event == group_event::edit ||
           event == group_event::reaction;
}

} // namespace

base::result<spam_item> spam_item_of(shared_json const& item, base::sys_time now) {
    json_reader const root{item.get()};
    spam_item read;
    if (root["conversation"]) {
        read.is_private = true;
        return read;
    }
    read.place.chat = chat_id{root["chat"].int64()};
    if (root.failed()) return root.failure();
    read.is_private = base::raw(read.place.chat) > 0;
    if (read.is_private) return read;
    auto const word = root["event"].string_or("message");
    auto const event = group_event_from(word);
    if (!event) return base::error(base::errc::invalid, "there is no event " + word);
    read.event = *event;
    read.place.bot = bot_id{root["bot"].int64()};
    if (root.failed()) return root.failure();
    if (!is_judged(read.event)) return read;
    read.message = telegram_message_id{root["message"].int64_or(0)};
    if (read.event == group_event::reaction)
        read_reaction_item(root, read);
    else
        read_message_item(root, read);
    read.content.sent_at = sending_time(root["date"].int64_or(0), now);
    if (read.message == telegram_message_id{})
        return base::error(base::errc::invalid, "message is missing");
    if (read.content.author.id == 0) return base::error(base::errc::invalid, "user is missing");
    return read;
}

std::string_view unchecked_reason(spam_item const& item) noexcept {
    if (item.is_private) return "it is of a private chat";
    if (item.event == group_event::reaction) return item.is_taken_back ? "it was taken back" : "";
    if (item.event != group_event::message && item.event != group_event::edit)
        return "it is no message";
    if (item.is_service) return "it only reports an event of the group";
    if (item.sender == sender_kind::linked_channel) return "it is of the linked channel";
    if (item.sender == sender_kind::anonymous_admin) return "an administrator wrote it";
    return {};
}

} // namespace postrider::agent::flow
