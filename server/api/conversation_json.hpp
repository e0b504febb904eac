#pragma once
// Conversations, and what is said in them, as the API shows them. Pure.
#include "storage/stores/conversations.hpp"

#include <boost/json/object.hpp>

namespace postrider::api {

boost::json::object to_json(storage::said_message const& message);
boost::json::object to_json(storage::conversation_entry const& entry);

} // namespace postrider::api
