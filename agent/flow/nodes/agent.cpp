#include "agent/flow/nodes/agent.hpp"

#include "agent/describe/bounds.hpp"
#include "agent/flow/nodes/describe.hpp"
#include "agent/flow/parts/memory.hpp"
#include "agent/flow/parts/models.hpp"
#include "agent/flow/parts/tools.hpp"
#include "agent/flow/run/model_failure_policy.hpp"
#include "agent/talk/image.hpp"

#include <boost/json/parse.hpp>

namespace postrider::agent::flow {

namespace {

boost::json::object agent_parameters() {
    auto schema = parameters(R"({
            "system_prompt": {
                "title": "System prompt",
                "description": "The agent's role and behaviour.",
                "type": "string",
                "default": "You are a helpful assistant.",
                "x-multiline": true
            },
            "prompt": {
                "title": "Prompt",
                "description": "The question for the model.",
                "type": "string",
                "default": "{{ $json.text }}",
                "x-multiline": true
            },
            "images": {
                "title": "Images",
                "description": "Images for a model with vision: a list of {\"file\"} (a messenger's file) or {\"data\"} (base64). Default: the images of the answered message, when the item is its trigger's.",
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "file": {"type": "string", "minLength": 1},
                        "data": {"type": "string", "minLength": 1}
                    },
                    "minProperties": 1,
                    "maxProperties": 1,
                    "additionalProperties": false
                }
            },
            "max_iterations": {
                "title": "Most iterations",
                "description": "How often the model is asked at most; then the answer so far is the answer.",
                "type": "integer"
            },
            "max_tool_calls": {
                "title": "Most tool calls",
                "description": "How many tools run at most, over all iterations.",
                "type": "integer"
            },
            "max_repeats": {
                "title": "Most repeats",
                "description": "The number of identical tool calls in a row with identical results that ends the run. Twice as many calls that bring nothing new end it too.",
                "type": "integer"
            },
            "tool_choice": {
                "title": "Tool choice",
                "description": "Whether the model may, must or must not call tools.",
                "enum": ["auto", "required", "none"],
                "default": "auto"
            },
            "output_format": {
                "title": "Output format",
                "description": "Plain text, or JSON of a schema.",
                "enum": ["text", "json_schema"],
                "default": "text",
                "x-expression": false
            },
            "when_model_fails": {
                "title": "When the model fails",
                "type": "string"
            },
            "timezone": {
                "title": "Time zone",
                "description": "Of the days and times that the rules read, by its IANA name.",
                "type": "string",
                "x-format": "timezone",
                "default": "UTC"
            },
            "schema": {
                "title": "Schema",
                "description": "JSON Schema of the answer, for the output format json_schema.",
                "type": "object",
                "x-format": "json_schema",
                "x-expression": false
            }
        })");
    schema["if"] = boost::json::parse(R"({
        "properties": {"output_format": {"const": "json_schema"}},
        "required": ["output_format"]
    })");
    auto& properties = schema["properties"].get_object();
    properties["images"].as_object()["maxItems"] = most_images;
    bounds::apply(bounds::iterations, properties["max_iterations"]);
    bounds::apply(bounds::tool_calls, properties["max_tool_calls"]);
    auto& when_model_fails = properties["when_model_fails"];
    apply_choices(model_failure_choices(), when_model_fails);
    when_model_fails.as_object()["default"] = model_failure_choices().front().name;
    bounds::apply(bounds::repeats, properties["max_repeats"]);
    schema["then"] = boost::json::parse(R"({"required": ["schema"]})");
    return schema;
}

} // namespace

node_type describe_agent() {
    return {
        .name = "agent",
        .group = group::agent,
        .title = "Agent",
        .documentation = R"(
            Asks its model, runs the tools that the model calls, and asks again until there is
            an answer. If a model fails permanently, or its breaker is open, the next
            connected model answers. The output has the answer as `text` (and as `output` if a
            schema is given), with the number of `iterations` and the tools that were used.)"_folded,
        .inputs =
            {{.name = "main", .least = 1, .title = "what it is asked"},
             {.name = "ai_model",
              .kind = &ai_model,
              .least = 1,
              .most = bounds::most_models,
              .title = "a model, and those that answer where it fails"},
             {.name = "ai_memory", .kind = &ai_memory, .most = 1, .title = "what it remembers"},
             {.name = "ai_tool", .kind = &ai_tool, .title = "what it can do"}},
        .outputs = {main_output()},
        .parameters = agent_parameters(),
        .behaviour = durable{run_agent},
    };
}

} // namespace postrider::agent::flow
