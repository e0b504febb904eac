#include "server/hooks/proof.hpp"

#include "base/ascii.hpp"
#include "base/json.hpp"
#include "base/names.hpp"
#include "net/digest.hpp"

namespace postrider::hooks {

namespace {

constexpr base::names<proof_method, 3> kinds{{
    {proof_method::bearer, "bearer"},
    {proof_method::header, "header"},
    {proof_method::signature, "signature"},
}};

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

proof proof_of(boost::json::object const& parameters) {
    boost::json::value const whole(parameters);
    base::json_reader const from{whole};
    proof proof;
    proof.method = base::named(kinds, from["authentication"].string_or("")).value_or(proof.method);
    proof.header = proof.method == proof_method::bearer ? std::string("Authorization")
                                                        : from["header"].string_or("X-Signature");
    proof.secret = from["secret"].string_or("");
    return proof;
}

bool may_be_proven(proof const& proof, base::secret const& secret, net::http_request const& head) {
    if (secret.empty() || head.headers.count(proof.header) != 1) return false;
    auto const value = head.headers.find(proof.header);
    switch (proof.method) {
    case proof_method::bearer:
        return is_bearer(secret, value);
    case proof_method::header:
        return secret.matches(value);
    case proof_method::signature:
        return !value.empty();
    }
    return false;
}

bool is_proven(proof const& proof, base::secret const& secret, net::http_request const& request) {
    if (!may_be_proven(proof, secret, request)) return false;
    if (proof.method != proof_method::signature) return true;
    base::secret const expected(net::hmac_sha256_hex(secret.reveal(), request.body));
    return expected.matches(signature_in(request.headers.find(proof.header)));
}

} // namespace postrider::hooks
