#include "agent/flow/node_type.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow {

namespace {

constexpr std::string_view no_rule = "otherwise";

base::result<outputs> choose_case(item_run const& run) {
    std::string port_name(no_rule);
    for (auto const& rule : run.parameters.at("rules").get_array()) {
        if (!rule.at("condition").get_bool()) continue;
        port_name = rule.at("name").get_string();
        break;
    }
    outputs output;
    output[port_name].push_back(run.input);
    return output;
}

} // namespace

behaviour switch_behaviour() {
    return pure{choose_case};
}

} // namespace postrider::agent::flow
