#include "agent/flow/node_type.hpp"
#include "base/json/json.hpp"

namespace postrider::agent::flow {

namespace {

trigger_opening open_form(boost::json::object const& parameters) {
    boost::json::value const values(parameters);
    base::json_reader const fields(values);
    request_opening requests;
    requests.method = form_method;
    requests.path = fields["path"].string_or("");
    requests.proof.method = proof_method::none;
    requests.answered_by_node = fields["respond"].string_or("") == "by_node";
    requests.form = parameters;
    return requests;
}

} // namespace

behaviour form_behaviour() {
    return trigger{
        .source = trigger_source::elsewhere,
        .open = open_form,
        .unique = {"path"},
    };
}

} // namespace postrider::agent::flow
