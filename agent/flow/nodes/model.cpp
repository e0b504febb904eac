#include "agent/flow/nodes/describe.hpp"
#include "agent/flow/nodes/models.hpp"

namespace postrider::agent::flow {

node_type describe_model() {
    return {
        .name = "model",
        .group = group::model,
        .title = "Configured model",
        .documentation =
            "A model just as the configuration describes it, whoever provides it: `[models.NAME]`.",
        .outputs = {ai_output(connection_kind::ai_model)},
        .parameters = parameters(R"({
            "model": {
                "title": "Model",
                "description": "The NAME of a [models.NAME] in the configuration.",
                "type": "string",
                "minLength": 1,
                "default": "default",
                "x-reference": "model"
            },
            "temperature": {
                "title": "Temperature",
                "description": "How much chance there is in an answer; not written = the provider's own.",
                "type": "number",
                "minimum": 0,
                "maximum": 2
            },
            "max_tokens": {
                "title": "Most tokens",
                "description": "Of one answer, within the entry's own bound.",
                "type": "integer",
                "minimum": 1,
                "maximum": 200000,
                "default": 4096
            }
        })"),
        .behaviour = part{make_configured_model},
    };
}

} // namespace postrider::agent::flow
