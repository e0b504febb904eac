#pragma once
// What happens in a group beside presses, as a flow that watches it reads it: the members of an item, with
// its kind as "event". Pure.
#include "agent/talk/group_message.hpp"
#include "agent/talk/member_change.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

enum class group_event { message, edit, member, reaction, join_request };
std::string_view to_string(group_event event) noexcept;
std::optional<group_event> group_event_from(std::string_view name) noexcept;

// Somebody's reactions to a message are others now: emojis, "custom:ID", "paid".
struct reaction_change {
    telegram_message_id message{};
    named_person person = {};         // no user where a chat reacts
    std::optional<chat_id> chat = {}; // in whose name
    std::vector<std::string> before = {};
    std::vector<std::string> now = {};
    std::int64_t date = 0; // Unix seconds by Telegram's clock

    bool operator==(reaction_change const&) const = default;
};

// Somebody asks to be let in.
struct join_request {
    named_person person = {};
    std::string language = {}; // of the person's Telegram
    std::string bio = {};

    bool operator==(join_request const&) const = default;
};

boost::json::object event_json(group_event event, group_message const& message);
boost::json::object event_json(member_change const& change);
boost::json::object event_json(reaction_change const& change);
boost::json::object event_json(join_request const& request);

} // namespace postrider::agent
