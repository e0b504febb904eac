#pragma once
// The Idempotency-Key of a request: the same request with the same key does once what it asks, and
// is answered each time; for a day. Pure.
#include "net/http.hpp"
#include "storage/stores/request_keys.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace postrider::api {

// 400 for a head whose key is not one text of 1 to 255 printable characters.
std::optional<net::http_response> refuse_key(net::http_request const& head);

// Nothing without a key. The scope is where the key counts; what the request asks for is its
// identity: another one under the same key is a mistake of the client.
std::optional<storage::request_key> key_of(
    net::http_request const& request, std::string scope, std::string_view identity
);

// 422: another request came with this key.
net::http_response key_reused();

} // namespace postrider::api
