#pragma once
// What agents remember for long, as the API and the command line show it. Pure.
#include "agent/recall/store.hpp"

#include <boost/json/object.hpp>

#include <vector>

namespace postrider::server {

// Without the texts of its sources.
boost::json::object memory_json(agent::recall::shown_memory const& shown);
// With them.
boost::json::object whole_memory_json(agent::recall::shown_memory const& shown);
// A page of at most `limit`, and where the next one begins.
boost::json::object memories_json(std::vector<agent::recall::shown_memory> const& page, int limit);

} // namespace postrider::server
