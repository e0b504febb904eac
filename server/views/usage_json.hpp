#pragma once
// Usage of models as the API and `usage --json` write it. Pure.
#include "storage/stores/usage.hpp"

#include <boost/json/object.hpp>

namespace postrider::server {

// {"usage": […], "by", "days", "timezone"}. A line names its subject by the key: {"user": 7, …}, or by two; its
// cost is in US cents.
boost::json::object usage_json(storage::usage_report const& report);

} // namespace postrider::server
