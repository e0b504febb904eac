#include "agent/flow/node_type.hpp"

namespace postrider::agent::flow {

namespace {

base::result<outputs> choose_branch(item_run const& run) {
    bool const holds = run.parameters.at("condition").get_bool();
    outputs output;
    output[holds ? "true" : "false"].push_back(run.input);
    return output;
}

} // namespace

behaviour if_behaviour() {
    return pure{choose_branch};
}

} // namespace postrider::agent::flow
