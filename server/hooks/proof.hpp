#pragma once
// How a request to a webhook proves that it may start the flow: by a bearer token, by the secret in
// a header of its own, or by an HMAC-SHA256 of the body in that header, in hexadecimal, with or
// without "sha256=" before it. Compared in constant time; a secret that is not configured lets
// nobody in. Pure.
#include "agent/flow/trigger.hpp"
#include "base/secret.hpp"
#include "net/http.hpp"

namespace postrider::hooks {

using agent::flow::proof_method;
using agent::flow::request_proof;

// What the head alone tells: for a signature, that there is one.
bool may_be_proven(
    request_proof const& proof, base::secret const& secret, net::http_request const& head
);
// With the body.
bool is_proven(
    request_proof const& proof, base::secret const& secret, net::http_request const& request
);

} // namespace postrider::hooks
