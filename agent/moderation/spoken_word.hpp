#pragma once
// What a message of a watched group says about another one: a command in reply to it. Pure.
#include "agent/talk/address.hpp"
#include "agent/talk/group_message.hpp"

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace postrider::agent {

enum class spoken_command : std::uint8_t { spam, ham, ban, warn, report };
std::string_view name_of(spoken_command command) noexcept; // without its "/"

struct spoken_word {
    spoken_command command{};
    address group;
    telegram_message_id said_in{}; // the message that is the command
    user_id by{};
    std::string by_name = {};
    inside_reply about; // what it replies to
};

// Nothing: the item is no message of a person that begins with such a command and replies to another message. A chat, also
// that of an anonymous administrator, commands nobody.
std::optional<spoken_word> read_spoken_word(boost::json::value const& item);

} // namespace postrider::agent
