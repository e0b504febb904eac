#pragma once
// The API's description, OpenAPI 3.1, put together from what the endpoints say of themselves. Pure.
#include "server/api/endpoint.hpp"

#include <span>
#include <string>

namespace postrider::api {

// openapi.json with the parts of these endpoints. Throws std::logic_error where two parts describe the
// same, or a part is no JSON object: a defect of ours.
std::string describe(std::span<endpoint const> endpoints);

} // namespace postrider::api
