#include "agent/flow/nodes/describe.hpp"

namespace postrider::agent::flow {

namespace {

base::result<outputs> stop(item_run const& run) {
    return base::error(base::errc::refused, std::string(run.parameters.at("message").get_string()));
}

} // namespace

node_type describe_stop() {
    return {
        .name = "stop",
        .group = group::logic,
        .title = "Stop with an error",
        .documentation = "Fails with a message of the flow's own as soon as an item comes in.",
        .inputs = {main_input()},
        .parameters = parameters(
            R"({
            "message": {
                "title": "Message",
                "description": "The reason of the failure, for people.",
                "type": "string",
                "minLength": 1
            }
        })",
            {"message"}
        ),
        .behaviour = pure{.execute = stop, .fails_on_purpose = true},
    };
}

} // namespace postrider::agent::flow
