#pragma once
// What the engine's views tell, as the API writes it. An instant or text that is not there is null.
// Pure.
#include "net/http.hpp"
#include "queue/job_views.hpp"
#include "queue/operations.hpp"

#include <boost/json/object.hpp>

#include <string>

namespace postrider::api {

boost::json::object to_json(queue::job_summary const& job);
boost::json::object to_json(queue::job_details const& job);
boost::json::object to_json(queue::lane_summary const& lane);
boost::json::object to_json(queue::doubtful_effect const& effect);
boost::json::object to_json(queue::pause_summary const& pause);

// The operation's code and words.
boost::json::object to_json(queue::operation_result const& what);

// A refused operation: 404 when there is no such thing, 400 when it was asked wrongly, else 409.
net::http_response refused(queue::operation_result const& why);
// 202 when a worker was asked, else 200 (or `fresh`: 201 for what was made).
int status_of(queue::operation_result const& done, bool fresh = false);

} // namespace postrider::api
