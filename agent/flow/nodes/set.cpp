#include "agent/flow/node_type.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

base::result<outputs> set_fields(item_run const& run) {
    json::object fields;
    if (run.parameters.at("keep_others").get_bool())
        if (auto const* members = run.input.json.if_object()) fields = *members;
    for (auto const& [name, value] : run.parameters.at("fields").get_object()) fields[name] = value;
    return to_main(std::move(fields));
}

} // namespace

behaviour set_behaviour() {
    return pure{set_fields};
}

} // namespace postrider::agent::flow
