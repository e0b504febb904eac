#include "agent/flow/nodes/describe.hpp"
#include "agent/flow/nodes/models.hpp"

namespace postrider::agent::flow {

node_type describe_model_anthropic() {
    return {
        .name = "model.anthropic",
        .group = group::model,
        .title = "Anthropic model",
        .documentation = "A Claude model, asked over Anthropic's Messages API.",
        .outputs = {ai_output(connection_kind::ai_model)},
        .parameters = model_parameters(
            "anthropic", {"claude-haiku-4-5", "claude-sonnet-4-5", "claude-opus-4-1"}, 1
        ),
        .behaviour = part{make_anthropic_model},
    };
}

} // namespace postrider::agent::flow
