#pragma once
// What comes back of a chat beside a press: somebody was added, promoted, restricted, banned or has
// left. It is an event for a job of the chat that waits for one. Pure.
#include "agent/talk/address.hpp"
#include "agent/talk/messenger.hpp"
#include "base/error.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace postrider::agent {

struct member_change {
    address at = {};
    user_id user{};        // whose standing it is
    std::string name = {}; // of that user, as shown
    member_standing before = member_standing::left;
    member_standing now = member_standing::member;
    user_id by{}; // who changed it
};

// The event's type.
inline constexpr std::string_view member_event = "member";

// The members of the address, "user", "name", "standing", "before" and "by".
boost::json::object to_json(member_change const& change);
// invalid: it is no such event.
base::result<member_change> member_change_from(boost::json::value const& event);

} // namespace postrider::agent
