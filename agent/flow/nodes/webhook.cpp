#include "agent/flow/node_type.hpp"
#include "base/json/json.hpp"
#include "base/names.hpp"

namespace postrider::agent::flow {

namespace {

constexpr base::names<proof_method, 4> proof_methods{{
    {proof_method::bearer, "bearer"},
    {proof_method::header, "header"},
    {proof_method::signature, "signature"},
    {proof_method::none, "none"},
}};

trigger_opening open_webhook(boost::json::object const& parameters) {
    boost::json::value const values(parameters);
    base::json_reader const fields(values);
    request_opening requests;
    requests.method = fields["method"].string_or(requests.method);
    requests.path = fields["path"].string_or("");
    auto& proof = requests.proof;
    auto const method = base::named(proof_methods, fields["authentication"].string_or(""));
    proof.method = method.value_or(proof.method);
    if (proof.method != proof_method::bearer)
        proof.header = fields["header"].string_or("X-Signature");
    proof.secret = fields["secret"].string_or("");
    requests.answered_by_node = fields["respond"].string_or("") == "by_node";
    return requests;
}

} // namespace

behaviour webhook_behaviour() {
    return trigger{
        .source = trigger_source::elsewhere,
        .open = open_webhook,
        .unique = {"path", "method"},
    };
}

} // namespace postrider::agent::flow
