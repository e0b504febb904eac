#pragma once
// Everything the API answers that is no success: RFC 9457 documents with a stable code. Pure.
#include "base/error.hpp"
#include "net/http.hpp"
#include "server/api/database_bounds.hpp"

#include <string>
#include <vector>

namespace postrider::api {

// 400 that lists every mistake, in "detail" for people and in "errors" for programs.
net::http_response invalid(std::vector<std::string> const& mistakes);

// What a failure of the database is to a client: 503 with Retry-After when it may pass, 400 when
// the database refuses what was given. Only of a change it says that it may be done nevertheless.
// Nothing of the failure's own words comes out.
net::http_response problem_of(base::error const& failure, database_use use);

} // namespace postrider::api
