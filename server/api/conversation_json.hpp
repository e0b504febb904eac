#pragma once
// A conversation as the API shows it. Pure.
#include "storage/stores/conversations.hpp"

#include <boost/json/object.hpp>

namespace postrider::api {

boost::json::object to_json(storage::said_message const& message);

} // namespace postrider::api
