#include "agent/flow/nodes/describe.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow {

namespace {

constexpr std::string_view no_rule = "otherwise";

base::result<outputs> choose_case(item_run const& run) {
    std::string way(no_rule);
    for (auto const& rule : run.parameters.at("rules").get_array()) {
        if (!rule.at("condition").get_bool()) continue;
        way = rule.at("name").get_string();
        break;
    }
    outputs output;
    output[way].push_back(run.input);
    return output;
}

} // namespace

node_type describe_switch() {
    return {
        .name = "switch",
        .group = group::logic,
        .title = "Switch",
        .documentation = R"(
            Passes each item to the output of the first rule whose condition is true, or to
            `otherwise`. Each rule's name is an output.)"_folded,
        .inputs = {main_input()},
        .outputs =
            {{.name = std::string(no_rule), .title = "no rule holds", .from_parameter = "rules"}},
        .parameters = parameters(
            R"({
            "rules": {
                "title": "Rules",
                "description": "Tried in this order.",
                "type": "array",
                "minItems": 1,
                "maxItems": 50,
                "items": {
                    "type": "object",
                    "properties": {
                        "name": {
                            "title": "Name",
                            "description": "Of the output.",
                            "type": "string",
                            "minLength": 1,
                            "maxLength": 60,
                            "x-expression": false
                        },
                        "condition": {
                            "title": "Condition",
                            "description": "An expression that is true or false: {{ $json.kind == \"order\" }}.",
                            "type": "boolean"
                        }
                    },
                    "required": ["name", "condition"],
                    "additionalProperties": false
                }
            }
        })",
            {"rules"}
        ),
        .behaviour = pure{.execute = choose_case, .keeps_items = true},
    };
}

} // namespace postrider::agent::flow
