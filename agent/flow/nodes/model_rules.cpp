#include "agent/flow/nodes/describe.hpp"
#include "agent/flow/nodes/models.hpp"

namespace postrider::agent::flow {

node_type describe_model_rules() {
    return {
        .name = "model.rules",
        .group = group::model,
        .title = "Rules",
        .documentation = "Answers by fixed rules, without a network and at no cost: to try a flow, "
                         "and to test it.",
        .outputs = {ai_output(connection_kind::ai_model)},
        .parameters = parameters("{}"),
        .behaviour = part{make_rules_model},
    };
}

} // namespace postrider::agent::flow
