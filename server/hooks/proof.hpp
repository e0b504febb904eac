#pragma once
// How a request to a webhook proves that it may start the flow: by a bearer token, by the secret in
// a header of its own, or by an HMAC-SHA256 of the body in that header, in hexadecimal, with or
// without "sha256=" before it. Compared in constant time; a secret that is not configured lets
// nobody in. Pure.
#include "base/secret.hpp"
#include "net/http.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace postrider::hooks {

enum class proof_method { bearer, header, signature };

struct proof {
    proof_method method = proof_method::bearer;
    std::string header; // unless it is a bearer token
    std::string secret; // its name in the configuration
};

// Of a webhook trigger's parameters.
proof proof_of(boost::json::object const& parameters);

// What the head alone tells: for a signature, that there is one.
bool may_be_proven(proof const& proof, base::secret const& secret, net::http_request const& head);
// With the body.
bool is_proven(proof const& proof, base::secret const& secret, net::http_request const& request);

} // namespace postrider::hooks
