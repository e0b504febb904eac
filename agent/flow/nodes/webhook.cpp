#include "agent/flow/nodes/describe.hpp"

namespace postrider::agent::flow {

node_type describe_webhook() {
    return {
        .name = "webhook",
        .group = group::trigger,
        .title = "Webhook",
        .documentation = "Starts an execution for each HTTP request to its path that proves "
                         "itself. Its item has "
                         "`method`, `path`, `query`, `headers` and `body`. The answer is 202 at "
                         "once, or what an "
                         "*HTTP respond* node says.",
        .outputs = {main_output()},
        .parameters = parameters(
            R"({
            "path": {
                "title": "Path",
                "description": "Below /hooks/ of this server, unique among its flows: orders/new.",
                "type": "string",
                "maxLength": 200,
                "x-format": "path",
                "x-expression": false
            },
            "method": {
                "title": "Method",
                "description": "The one that is answered; others get 405.",
                "enum": ["GET", "POST", "PUT", "PATCH", "DELETE"],
                "default": "POST",
                "x-expression": false
            },
            "authentication": {
                "title": "Authentication",
                "description": "How a request proves itself: \"Authorization: Bearer SECRET\", the secret in a header of its own, or an HMAC-SHA256 of the body in that header.",
                "enum": ["bearer", "header", "signature"],
                "default": "bearer",
                "x-expression": false
            },
            "header": {
                "title": "Header",
                "description": "Where the secret or the signature stands.",
                "type": "string",
                "pattern": "^[A-Za-z0-9-]{1,64}$",
                "default": "X-Signature",
                "x-expression": false
            },
            "secret": {
                "title": "Secret",
                "description": "The name that the configuration has for it.",
                "type": "string",
                "pattern": "^[A-Za-z0-9_-]{1,64}$",
                "x-reference": "secret",
                "x-secret": true,
                "x-expression": false
            },
            "respond": {
                "title": "Respond",
                "description": "At once with 202, or when an HTTP respond node runs.",
                "enum": ["at_once", "by_node"],
                "default": "at_once",
                "x-expression": false
            }
        })",
            {"path", "secret"}
        ),
        .behaviour = trigger{trigger_source::elsewhere, {"path", "method"}},
    };
}

} // namespace postrider::agent::flow
