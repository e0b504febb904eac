#pragma once
// A reply as JSON, for the step that records it: what is read back equals what was written.
#include "agent/models/model.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent {

boost::json::value to_json(chat_reply const& reply);
// invalid: not written by to_json().
base::result<chat_reply> reply_from_json(boost::json::value const& recorded);

boost::json::array to_json(std::vector<tool_call> const& calls);
std::vector<tool_call> calls_from_json(boost::json::value const& recorded);

} // namespace postrider::agent
