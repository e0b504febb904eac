#pragma once
// What the endpoints of collections and those of their documents share. Pure.
#include "net/http.hpp"

#include <string_view>

namespace postrider::api {

net::http_response no_collection(std::string_view name);

} // namespace postrider::api
