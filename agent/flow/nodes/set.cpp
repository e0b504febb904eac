#include "agent/flow/nodes/describe.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

base::result<outputs> set_fields(item_run const& run) {
    json::object fields;
    if (run.parameters.at("keep_others").get_bool())
        if (auto const* members = run.input.json.if_object()) fields = *members;
    for (auto const& [name, value] : run.parameters.at("fields").get_object()) fields[name] = value;
    return to_main(std::move(fields));
}

} // namespace

node_type describe_set() {
    return {
        .name = "set",
        .group = group::logic,
        .title = "Set fields",
        .documentation = "Makes new items with the given fields, with or without the other fields.",
        .inputs = {main_input()},
        .outputs = {main_output()},
        .parameters = parameters(
            R"({
            "fields": {
                "title": "Fields",
                "description": "By their names; values may be expressions: {\"total\": \"{{ $json.price * 2 }}\"}.",
                "type": "object"
            },
            "keep_others": {
                "title": "Keep others",
                "description": "Whether the item's other fields stay.",
                "type": "boolean",
                "default": true
            }
        })",
            {"fields"}
        ),
        .behaviour = pure{set_fields},
    };
}

} // namespace postrider::agent::flow
