#pragma once
// What became of an operation on jobs, lanes or effects, as the API answers it. Pure.
#include "net/http.hpp"
#include "queue/admin/operations.hpp"

#include <boost/json/object.hpp>

namespace postrider::api {

// The operation's code and words.
boost::json::object to_json(queue::operation_result const& result);

// A refused operation: 404 when there is no such thing, 400 when it was asked wrongly, else 409.
net::http_response refused(queue::operation_result const& result);
// 202 when a worker was asked, else 200 (or `fresh`: 201 for what was made).
int status_of(queue::operation_result const& done, bool fresh = false);

} // namespace postrider::api
