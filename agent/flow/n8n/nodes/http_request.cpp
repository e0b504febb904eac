#include "agent/flow/n8n/mapping.hpp"
#include "agent/flow/n8n/nodes/consumers.hpp"
#include "agent/flow/n8n/nodes/pagination.hpp"

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

// n8n finds out from the answer what it is. Here it is what the nodes behind take it for.
std::string answer_format(translation const& in) {
    auto const format =
        in.word("options.response.response.responseFormat", in.word("responseFormat"));
    if (format == "string") return "text";
    bool const is_open = format.empty() || format == "autodetect";
    if (!is_open && format != "file") return format;
    if (consumers_take_text(in)) return "text";
    if (!is_open) return format;
    return consumers_take_file(in) ? "file" : "";
}

bool answers_text(translation const& in) {
    return answer_format(in) == "text";
}

renamed_members http_request_members(translation const& in) {
    if (answers_all(in)) return http_full_members;
    if (answers_text(in)) return http_text_members;
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
        // Every request here has its own, and none is set.
        if (key == "headers" && (text == "Accept-Encoding" || text == "Host")) continue;
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

// A text goes out as it is, with the type that the node names.
void put_raw_body(translation& in) {
    in.put_value("body_format", "text");
    if (!in.put("body", "body")) return;
    auto const type = in.word("rawContentType");
    auto& headers = in.draft.parameters["headers"];
    if (!headers.is_object()) headers.emplace_object();
    bool const has_type = std::ranges::any_of(headers.get_object(), [](auto const& header) {
        return std::string_view(header.key()) == "Content-Type" ||
               std::string_view(header.key()) == "content-type";
    });
    if (!type.empty() && !has_type) headers.get_object()["Content-Type"] = type;
    if (headers.get_object().empty()) in.draft.parameters.erase("headers");
}

// Parts of a form that are files of the item.
void put_parts(translation& in) {
    auto const* list = in.find("bodyParameters.parameters");
    boost::json::object files;
    for (std::size_t i = 0; list && list->is_array() && i < list->get_array().size(); ++i) {
        auto const* entry = list->get_array()[i].if_object();
        auto const* name = entry ? entry->if_contains("name") : nullptr;
        auto const* kind = entry ? entry->if_contains("parameterType") : nullptr;
        if (name && name->is_string() && kind && *kind == "formBinaryData")
            files[name->get_string()] = "{{ $json.?file }}";
    }
    if (files.empty()) return;
    auto& body = in.draft.parameters["body"];
    if (!body.is_object()) body.emplace_object();
    for (auto& [name, file] : files) body.get_object()[name] = std::move(file);
}

void put_body(translation& in) {
    auto const kind = in.word("contentType", "json");
    if (kind == "form-urlencoded") in.put_value("body_format", "form");
    if (kind == "multipart-form-data") in.put_value("body_format", "multipart");
    if (kind == "raw") return put_raw_body(in);
    if (kind == "binaryData") {
        in.put_value("body_format", "file");
        return in.put_value("body", "{{ $json.?file }}");
    }
    for (auto path : {"jsonBody", "bodyParametersJson", "body"})
        if (auto const* body = in.find(path); body && !in.draft.parameters.contains("body") &&
                                              body->is_string() && !body->get_string().empty())
            in.put_value("body", in.converted_json("body", *body));
    if (!in.draft.parameters.contains("body"))
        put_named(in, "body", {"bodyParameters.parameters", "bodyParametersUi.parameter"});
    put_parts(in);
}

void put_headers(translation& in) {
    put_named(in, "headers", {"headerParameters.parameters", "headerParametersUi.parameter"});
    auto const* json_headers = in.find("jsonHeaders");
    if (!json_headers) json_headers = in.find("headerParametersJson");
    if (!json_headers) return;
    auto value = in.converted_json("headers", *json_headers);
    if (value.is_object()) in.put_value("headers", std::move(value));
}

// Blanks around it are none of its own.
void trim_url(translation& in) {
    auto* url = in.draft.parameters.at("url").if_string();
    if (!url) return;
    std::string_view text(url->data(), url->size());
    constexpr std::string_view blanks = " \t\r\n";
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    auto const end = text.find_last_not_of(blanks);
    std::string const trimmed(text.substr(0, end == text.npos ? 0 : end + 1));
    if (!trimmed.empty()) in.put_value("url", boost::json::value(trimmed));
}

void map_http_request(translation& in) {
    in.become("http.request");
    if (!in.put("url", "url")) in.put_value("url", "https://example.org");
    trim_url(in);
    auto const method = in.word("method", in.word("requestMethod", "GET"));
    if (method != "GET") in.put_value("method", boost::json::value(method));
    put_named(in, "query", {"queryParameters.parameters", "queryParametersUi.parameter"});
    if (auto const* query = in.find("jsonQuery"))
        if (auto value = in.converted_json("query", *query); value.is_object())
            in.put_value("query", std::move(value));
    put_headers(in);
    if (in.is_true("sendBody") || in.node().version < 3) put_body(in);
    if (method == "GET" && in.draft.parameters.erase("body") != 0)
        in.warn(
            "n8n_parameter",
            "method",
            "a GET has no body here, and it is left out",
            "choose POST, if the service takes it",
            "sendBody"
        );
    if (!in.node().credentials.empty() && in.word("authentication", "none") != "none")
        in.put_value("credential", boost::json::value(in.credential("credential", "api")));
    if (answers_all(in)) in.put_value("output", "answer");
    if (in.is_true("options.response.response.neverError")) in.put_value("error_status", "output");
    auto const format = answer_format(in);
    if (format == "text" || format == "json" || format == "file")
        in.put_value("response", boost::json::value(format));
    if (auto const time = in.number("options.timeout"); time && *time >= 1)
        in.put_value(
            "timeout",
            boost::json::value(
                std::to_string(static_cast<std::int64_t>(std::min(*time, 600'000.0))) + "ms"
            )
        );
    put_pages(in);
    if (in.find("options.batching"))
        in.warn(
            "n8n_parameter",
            "",
            "n8n waited between requests; here they go out one after the other",
            "",
            "options.batching"
        );
}

} // namespace

extern constinit mapping const http_request_mapping{
    .types = http_request_types, .map = map_http_request, .renamed = http_request_members};

} // namespace postrider::agent::flow::n8n
