#include "agent/flow/nodes/describe.hpp"
#include "base/json/json.hpp"
#include "base/names.hpp"

namespace postrider::agent::flow {

namespace {

constexpr base::names<proof_method, 3> proof_methods{{
    {proof_method::bearer, "bearer"},
    {proof_method::header, "header"},
    {proof_method::signature, "signature"},
}};

trigger_opening open_webhook(boost::json::object const& parameters) {
    boost::json::value const whole(parameters);
    base::json_reader const from(whole);
    request_opening requests;
    requests.method = from["method"].string_or(requests.method);
    requests.path = from["path"].string_or("");
    auto& proof = requests.proof;
    auto const method = base::named(proof_methods, from["authentication"].string_or(""));
    proof.method = method.value_or(proof.method);
    if (proof.method != proof_method::bearer)
        proof.header = from["header"].string_or("X-Signature");
    proof.secret = from["secret"].string_or("");
    requests.answered_by_node = from["respond"].string_or("") == "by_node";
    return requests;
}

} // namespace

node_type describe_webhook() {
    return {
        .name = "webhook",
        .group = group::trigger,
        .title = "Webhook",
        .documentation = R"(
            Starts an execution for each authenticated HTTP request to its path. Its item has
            `method`, `path`, `query`, `headers` and `body`. The answer is 202 at once, or that of
            an *HTTP respond* node. Executions run in parallel unless `settings.lane` says
            otherwise.)"_folded,
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
        .behaviour =
            trigger{
                .source = trigger_source::elsewhere,
                .open = open_webhook,
                .unique = {"path", "method"},
                .item = item_fields(R"({
                    "method": {"type": "string", "description": "The request's method."},
                    "path": {"type": "string", "description": "Its path below /hooks/."},
                    "query": {"type": "object", "description": "The query's parameters: texts, by name."},
                    "headers": {"type": "object", "description": "Its headers by name in small letters, without those that prove it."},
                    "body": {"description": "The parsed JSON, a text, or null without a body."}
                })"),
            },
    };
}

} // namespace postrider::agent::flow
