#pragma once
// Headers that every answer of the API has, refusals too: no cache keeps it, no browser takes it for
// another type, no page that it leads to hears its address, and no page of another origin embeds it. Pure.
#include "net/http.hpp"

namespace postrider::api {

// What an answer says itself stays.
void add_protective_headers(net::http_response& answer);

} // namespace postrider::api
