#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view webhook_types[]{"webhook"};

void map_webhook(translation& in) {
    in.become("webhook");
    auto const path = in.word("path", identifier_of(in.node().name));
    in.put_value("path", boost::json::value(path));
    in.put_value("method", boost::json::value(in.word("httpMethod", "GET")));
    auto const authentication = in.word("authentication", "none");
    if (authentication == "headerAuth") in.put_value("authentication", "header");
    in.put_value("secret", boost::json::value(in.credential("secret", identifier_of(path))));
    if (authentication == "none")
        in.warn(
            "n8n_parameter",
            "secret",
            "n8n answers everybody here; a webhook of ours asks for a secret"
        );
    if (in.word("responseMode") == "responseNode") in.put_value("respond", "by_node");
    if (in.word("responseMode") == "lastNode") {
        in.put_value("respond", "by_node");
        in.warn(
            "n8n_parameter",
            "respond",
            "n8n answers with the last node's items",
            "add an http.respond node at the end"
        );
    }
}

} // namespace

extern constinit mapping const webhook_mapping{.types = webhook_types, .map = map_webhook};

} // namespace postrider::agent::flow::n8n
