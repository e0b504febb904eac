#pragma once
// Strangers as the API and `strangers list --json` write them. Pure.
#include "storage/stores/strangers.hpp"

#include <boost/json/object.hpp>

#include <vector>

namespace postrider::server {

// {"strangers": […]}.
boost::json::object strangers_json(std::vector<storage::known_stranger> const& strangers);

} // namespace postrider::server
