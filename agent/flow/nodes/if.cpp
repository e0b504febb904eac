#include "agent/flow/nodes/describe.hpp"

namespace postrider::agent::flow {

namespace {

base::result<outputs> choose_branch(item_run const& run) {
    bool const holds = run.parameters.at("condition").get_bool();
    outputs output;
    output[holds ? "true" : "false"].push_back(run.input);
    return output;
}

} // namespace

node_type describe_if() {
    return {
        .name = "if",
        .group = group::logic,
        .title = "If",
        .documentation = "Passes each item on to `true` or to `false`.",
        .inputs = {main_input()},
        .outputs =
            {{.name = "true", .title = "the condition holds"},
             {.name = "false", .title = "it does not"}},
        .parameters = parameters(
            R"({
            "condition": {
                "title": "Condition",
                "description": "An expression that is true or false: {{ $json.total > 100 }}.",
                "type": "boolean"
            }
        })",
            {"condition"}
        ),
        .behaviour = pure{.execute = choose_branch, .keeps_items = true},
    };
}

} // namespace postrider::agent::flow
