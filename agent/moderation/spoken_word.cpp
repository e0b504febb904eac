#include "agent/moderation/spoken_word.hpp"

#include "agent/talk/group_event.hpp"
#include "base/json/json.hpp"
#include "base/names.hpp"

namespace postrider::agent {

namespace {

constexpr base::names<spoken_command, 5> spoken_commands{
    {{spoken_command::spam, "/spam"},
     {spoken_command::ham, "/ham"},
     {spoken_command::ban, "/ban"},
     {spoken_command::warn, "/warn"},
     {spoken_command::report, "/report"}}};

// The intake took the bot's own @name away: what still has one is for another bot.
std::string_view first_word(std::string_view text) {
    return text.substr(0, text.find_first_of(" \n\t"));
}

} // namespace

std::string_view name_of(spoken_command command) noexcept {
    return base::name_of(spoken_commands, command).substr(1);
}

std::optional<spoken_word> read_spoken_word(boost::json::value const& item) {
    base::json_reader const root{item};
    if (root["event"].string_or("") != to_string(group_event::message)) return std::nullopt;
    auto const seen = group_message_from(item);
    auto const command = base::named(spoken_commands, first_word(seen.text));
    bool const is_of_person = seen.sender.kind == sender_kind::member && !seen.sender.chat;
    bool const replies = seen.reply && seen.reply->message != telegram_message_id{};
    if (!command || !is_of_person || !replies) return std::nullopt;
    spoken_word word;
    word.command = *command;
    word.group = address_from(root);
    word.said_in = telegram_message_id{root["message"].int64_or(0)};
    word.by = seen.sender.user;
    word.by_name = seen.sender.name;
    word.about = *seen.reply;
    if (!word.group.is_complete()) return std::nullopt;
    return word;
}

} // namespace postrider::agent
