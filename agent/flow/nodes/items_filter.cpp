#include "agent/flow/node_type.hpp"

namespace postrider::agent::flow {

namespace {

base::result<outputs> filter_item(item_run const& run) {
    outputs output;
    if (run.parameters.at("condition").get_bool()) output["main"].push_back(run.input);
    return output;
}

} // namespace

behaviour items_filter_behaviour() {
    return pure{filter_item};
}

} // namespace postrider::agent::flow
