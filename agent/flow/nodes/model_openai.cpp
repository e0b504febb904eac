#include "agent/flow/nodes/describe.hpp"
#include "agent/flow/nodes/models.hpp"

namespace postrider::agent::flow {

node_type describe_model_openai() {
    return {
        .name = "model.openai",
        .group = group::model,
        .title = "OpenAI model",
        .documentation = "A GPT model, asked over OpenAI's Responses API.",
        .outputs = {ai_output(connection_kind::ai_model)},
        .parameters =
            model_parameters("openai", {"gpt-4o-mini", "gpt-4o", "gpt-4.1-mini", "gpt-4.1"}, 2),
        .behaviour = part{make_openai_model},
    };
}

} // namespace postrider::agent::flow
