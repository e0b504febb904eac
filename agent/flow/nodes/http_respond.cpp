#include "agent/flow/nodes/actions.hpp"
#include "agent/flow/nodes/describe.hpp"

namespace postrider::agent::flow {

node_type describe_http_respond() {
    return {
        .name = "http.respond",
        .group = group::action,
        .title = "HTTP respond",
        .documentation = R"(
            Answers the request of a *Webhook* trigger whose `respond` is `by_node`, with its first
            item. Only the first of these nodes that runs answers. Its items pass on.)"_folded,
        .inputs = {main_input()},
        .outputs = {main_output()},
        .parameters = parameters(R"({
            "status": {
                "title": "Status",
                "description": "Of the answer.",
                "type": "integer",
                "minimum": 200,
                "maximum": 599,
                "default": 200
            },
            "headers": {
                "title": "Headers",
                "description": "About the answer, such as Location, and X- names of your own. Others are not sent.",
                "type": "object",
                "additionalProperties": {"type": "string"},
                "default": {}
            },
            "body": {
                "title": "Body",
                "description": "A text is sent unchanged, everything else as JSON. Where the headers say text/html, expressions insert plain text. Default: empty.",
                "x-multiline": true,
                "x-markup": "headers"
            }
        })"),
        .behaviour =
            durable{
                .execute = respond_http,
                .keeps_items = [](auto const&) { return true; },
            },
    };
}

} // namespace postrider::agent::flow
