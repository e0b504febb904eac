#include "agent/flow/nodes/describe.hpp"
#include "agent/flow/nodes/models.hpp"

namespace postrider::agent::flow {

node_type describe_model_compatible() {
    return {
        .name = "model.compatible",
        .group = group::model,
        .title = "Compatible model",
        .documentation =
            "A model behind a server that speaks OpenAI's Chat Completions: Ollama, llama.cpp, "
            "vLLM and many more. The server's address is the entry's `base_url`.",
        .outputs = {ai_output(connection_kind::ai_model)},
        .parameters = model_parameters("compatible", {}, 2),
        .behaviour = part{make_compatible_model},
    };
}

} // namespace postrider::agent::flow
