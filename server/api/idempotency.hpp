#pragma once
// The Idempotency-Key of a request: the same request with the same key does once what it asks, and
// is answered each time; for a day.
#include "net/http.hpp"
#include "storage/stores/request_keys.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::api {

// Pure, as the next ones: 400 for a head whose key is not one text of 1 to 255 printable characters.
std::optional<net::http_response> refuse_key(net::http_request const& head);

// Nothing without a key. The scope is where the key counts; what the request asks for is its
// identity: another one under the same key is a mistake of the client.
std::optional<storage::request_key> key_of(
    net::http_request const& request, std::string scope, std::string_view identity
);

// 422: another request came with this key.
net::http_response key_reused();

struct first_answer {
    net::http_response response;
    std::optional<job_id> job = {}; // nothing: it was refused, and the key stays free
};
// Starts a job once, in the caller's transaction: `first` does it, `again` answers a request with the same key.
net::http_response start_once(
    storage::transaction& tx,
    std::optional<storage::request_key> const& key,
    std::function<first_answer()> const& first,
    std::function<net::http_response(job_id)> const& again
);

} // namespace postrider::api
