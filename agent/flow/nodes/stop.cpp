#include "agent/flow/node_type.hpp"

namespace postrider::agent::flow {

namespace {

base::result<outputs> stop(item_run const& run) {
    std::string message(run.parameters.at("message").get_string());
    return base::error(base::errc::refused, std::move(message), "stopped");
}

} // namespace

behaviour stop_behaviour() {
    return pure{.execute = stop, .fails_on_purpose = true};
}

} // namespace postrider::agent::flow
