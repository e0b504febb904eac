#include "server/hooks/proof.hpp"

#include "base/ascii.hpp"
#include "base/json.hpp"
#include "base/names.hpp"
#include "net/digest.hpp"

namespace postrider::hooks {

namespace {

constexpr base::names<proof::kind, 3> kinds{{
    {proof::kind::bearer, "bearer"},
    {proof::kind::header, "header"},
    {proof::kind::signature, "signature"},
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
    proof made;
    made.how = base::named(kinds, from["authentication"].string_or("")).value_or(made.how);
    made.header = made.how == proof::kind::bearer ? std::string("Authorization")
                                                  : from["header"].string_or("X-Signature");
    made.secret = from["secret"].string_or("");
    return made;
}

bool may_be_proven(proof const& wanted, base::secret const& secret, net::http_request const& head) {
    if (secret.empty() || head.headers.count(wanted.header) != 1) return false;
    auto const given = head.headers.find(wanted.header);
    switch (wanted.how) {
    case proof::kind::bearer:
        return is_bearer(secret, given);
    case proof::kind::header:
        return secret.matches(given);
    case proof::kind::signature:
        return !given.empty();
    }
    return false;
}

bool is_proven(proof const& wanted, base::secret const& secret, net::http_request const& request) {
    if (!may_be_proven(wanted, secret, request)) return false;
    if (wanted.how != proof::kind::signature) return true;
    base::secret const expected(net::hmac_sha256_hex(secret.reveal(), request.body));
    return expected.matches(signature_in(request.headers.find(wanted.header)));
}

} // namespace postrider::hooks
