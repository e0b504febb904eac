#include "server/hooks/proof.hpp"

#include "base/ascii.hpp"
#include "net/digest.hpp"

namespace postrider::hooks {

namespace {

constexpr std::string_view scheme = "Bearer ";
constexpr std::string_view algorithm = "sha256=";

bool is_bearer(base::secret const& secret, std::string_view header) {
    if (!net::equals_without_case(header.substr(0, scheme.size()), scheme)) return false;
    return secret.matches(header.substr(scheme.size()));
}

std::string signature_in(std::string_view header) {
    if (net::equals_without_case(header.substr(0, algorithm.size()), algorithm))
        header.remove_prefix(algorithm.size());
    return base::to_lower(std::string(header));
}

} // namespace

bool may_be_proven(
    request_proof const& proof, base::secret const& secret, net::http_request const& head
) {
    if (secret.empty() || head.headers.count(proof.header) != 1) return false;
    auto const value = head.headers.find(proof.header);
    switch (proof.method) {
    case proof_method::bearer:
        return is_bearer(secret, value);
    case proof_method::header:
        return secret.matches(value);
    case proof_method::signature:
        return !value.empty();
    case proof_method::none:
        return true;
    }
    return false;
}

bool is_proven(
    request_proof const& proof, base::secret const& secret, net::http_request const& request
) {
    if (!may_be_proven(proof, secret, request)) return false;
    if (proof.method != proof_method::signature) return true;
    base::secret const expected(net::hmac_sha256_hex(secret.reveal(), request.body));
    return expected.matches(signature_in(request.headers.find(proof.header)));
}

} // namespace postrider::hooks
