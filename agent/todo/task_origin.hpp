#pragma once
// Where a call of the todo tools comes from, as a session's origin: the chat in which people are reminded of
// the due dates that the call sets. A value. Only the agents of this process have one.
#include "agent/talk/address.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent::todo {

struct task_origin {
    address at = {};
    lane_id lane{}; // of the conversation there
};

boost::json::object to_json(task_origin const& origin);
// Nothing: there is no such chat.
std::optional<task_origin> task_origin_from(boost::json::object const& json);

} // namespace postrider::agent::todo
