#include "agent/flow/n8n/mapping.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view respond_types[]{"respondToWebhook"};

void map_respond(translation& in) {
    in.become("http.respond");
    auto const with = in.word("respondWith", "firstIncomingItem");
    if (auto const status = in.number("options.responseCode"))
        in.put_value("status", static_cast<std::int64_t>(*status));
    boost::json::object headers;
    auto const* entries = in.find("options.responseHeaders.entries");
    auto const* list = entries ? entries->if_array() : nullptr;
    for (std::size_t i = 0; list && i < list->size(); ++i) {
        auto const* entry = (*list)[i].if_object();
        auto const* name = entry ? entry->if_contains("name") : nullptr;
        auto const* value = entry ? entry->if_contains("value") : nullptr;
        if (name && value && name->is_string())
            headers[name->get_string()] = in.converted("headers", *value);
    }
    if (with == "redirect") {
        in.put_value("status", 302);
        if (auto const* url = in.find("redirectURL"))
            headers["Location"] = in.converted("headers", *url);
    }
    if (!headers.empty()) in.put_value("headers", std::move(headers));
    auto const* body = in.find("responseBody");
    if (with == "json" && body)
        in.put_value("body", in.converted_json("body", *body));
    else if (with == "text" && body)
        in.put_value("body", in.converted("body", *body));
    else if (with == "allIncomingItems")
        in.put_value("body", "{{ $input }}");
    else if (with == "firstIncomingItem")
        in.put_value("body", "{{ $json }}");
    else if (with == "binary")
        in.warn("n8n_parameter", "body", "it answered with a file");
}

} // namespace

extern constinit mapping const respond_mapping{
    .types = respond_types, .map = map_respond, .items = passing::same};

} // namespace postrider::agent::flow::n8n
