#include "agent/flow/n8n/mapping.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view http_request_types[]{"httpRequest"};

constexpr renamed_member http_text_members[]{{"data", "body"}};
constexpr renamed_member http_full_members[]{{"statusCode", "status"}};

bool answers_all(translation const& in) {
    return in.is_true("options.response.response.fullResponse");
}

renamed_members http_request_members(translation const& in) {
    if (answers_all(in)) return http_full_members;
    if (in.word("options.response.response.responseFormat") == "text" ||
        in.word("responseFormat") == "string")
        return http_text_members;
    return {};
}

// A list of {"name", "value"} as an object.
boost::json::object named_values(translation& in, std::string_view key, std::string_view path) {
    boost::json::object values;
    auto const* list = in.find(path);
    for (std::size_t i = 0; list && list->is_array() && i < list->get_array().size(); ++i) {
        auto const* entry = list->get_array()[i].if_object();
        auto const* name = entry ? entry->if_contains("name") : nullptr;
        auto const* value = entry ? entry->if_contains("value") : nullptr;
        if (!name || !name->is_string() || name->get_string().empty() || !value) continue;
        auto text = std::string_view(name->get_string().data(), name->get_string().size());
        if (is_template(text)) text.remove_prefix(1);
        values[text] = in.converted(key, *value);
    }
    return values;
}

void put_named(
    translation& in, std::string_view key, std::initializer_list<std::string_view> paths
) {
    boost::json::object all;
    for (auto path : paths)
        for (auto& [name, value] : named_values(in, key, path)) all[name] = value;
    if (!all.empty()) in.put_value(key, std::move(all));
}

void put_body(translation& in) {
    auto const kind = in.word("contentType", "json");
    if (kind == "form-urlencoded") in.put_value("body_format", "form");
    if (kind == "multipart-form-data") in.put_value("body_format", "multipart");
    if (kind == "raw") {
        in.put_value("body_format", "text");
        in.put("body", "body");
        return;
    }
    if (kind == "binaryData")
        return in.warn("n8n_parameter", "body", "n8n sent a file of the item");
    for (auto path : {"jsonBody", "bodyParametersJson", "body"})
        if (auto const* body = in.find(path); body && !in.draft.parameters.contains("body") &&
                                              body->is_string() && !body->get_string().empty())
            in.put_value("body", in.converted_json("body", *body));
    if (!in.draft.parameters.contains("body"))
        put_named(in, "body", {"bodyParameters.parameters", "bodyParametersUi.parameter"});
}

void put_headers(translation& in) {
    put_named(in, "headers", {"headerParameters.parameters", "headerParametersUi.parameter"});
    auto const* json_headers = in.find("jsonHeaders");
    if (!json_headers) json_headers = in.find("headerParametersJson");
    if (!json_headers) return;
    auto value = in.converted_json("headers", *json_headers);
    if (value.is_object()) in.put_value("headers", std::move(value));
}

void map_http_request(translation& in) {
    in.become("http.request");
    if (!in.put("url", "url")) in.put_value("url", "https://example.org");
    auto const method = in.word("method", in.word("requestMethod", "GET"));
    if (method != "GET") in.put_value("method", boost::json::value(method));
    put_named(in, "query", {"queryParameters.parameters", "queryParametersUi.parameter"});
    if (auto const* query = in.find("jsonQuery"))
        if (auto value = in.converted_json("query", *query); value.is_object())
            in.put_value("query", std::move(value));
    put_headers(in);
    if (in.is_true("sendBody") || in.node().version < 3) put_body(in);
    if (!in.node().credentials.empty() && in.word("authentication", "none") != "none")
        in.put_value("credential", boost::json::value(in.credential("credential", "api")));
    if (answers_all(in)) in.put_value("output", "answer");
    if (in.is_true("options.response.response.neverError")) in.put_value("error_status", "output");
    auto const format = in.word("options.response.response.responseFormat");
    if (format == "text" || format == "json") in.put_value("response", boost::json::value(format));
    if (format == "file") in.put_value("response", "base64");
    if (auto const time = in.number("options.timeout"); time && *time >= 1)
        in.put_value(
            "timeout",
            boost::json::value(
                std::to_string(static_cast<std::int64_t>(std::min(*time, 600'000.0))) + "ms"
            )
        );
    if (in.find("options.pagination"))
        in.warn(
            "n8n_parameter",
            "pages",
            "n8n asked for further pages",
            "say with `pages` and `next` where they are"
        );
    if (in.find("options.batching"))
        in.warn(
            "n8n_parameter", "", "n8n waited between requests; here they go out one after the other"
        );
}

} // namespace

extern constinit mapping const http_request_mapping{
    .types = http_request_types, .map = map_http_request, .renamed = http_request_members};

} // namespace postrider::agent::flow::n8n
