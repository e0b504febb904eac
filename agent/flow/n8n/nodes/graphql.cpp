#include "agent/flow/n8n/mapping.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow::n8n {

namespace json = boost::json;

namespace {

constexpr std::string_view graphql_types[]{"graphql"};
constexpr renamed_member graphql_text_members[]{{"data", "body"}};

renamed_members graphql_members(translation const& in) {
    return in.word("responseFormat", "json") == "string" ? renamed_members(graphql_text_members)
                                                         : renamed_members();
}

json::object graphql_headers(translation& in) {
    json::object headers;
    auto const* list = in.find("headerParametersUi.parameter");
    for (std::size_t i = 0; list && list->is_array() && i < list->get_array().size(); ++i) {
        auto const* entry = list->get_array()[i].if_object();
        auto const* name = entry ? entry->if_contains("name") : nullptr;
        auto const* value = entry ? entry->if_contains("value") : nullptr;
        if (name && name->is_string() && !name->get_string().empty() && value)
            headers[name->get_string()] = in.converted("headers", *value);
    }
    return headers;
}

// Every server takes a request as JSON, whichever of the two forms n8n sent.
void map_graphql(translation& in) {
    in.become("http.request");
    if (!in.put("url", "endpoint")) in.put_value("url", "https://example.org/graphql");
    bool const is_get = in.word("requestMethod", "POST") == "GET";
    std::string_view const place = is_get ? "query" : "body";
    json::object request;
    if (auto const* query = in.find("query")) request["query"] = in.converted(place, *query);
    if (!is_get) {
        in.put_value("method", "POST");
        auto const* variables = in.find("variables");
        bool const is_text = variables && variables->is_string();
        if (is_text && !variables->get_string().empty())
            request["variables"] = in.converted_json(place, *variables);
        else if (variables && variables->is_object())
            request["variables"] = in.converted(place, *variables);
        if (auto const* name = in.find("operationName");
            name && name->is_string() && !name->get_string().empty())
            request["operationName"] = in.converted(place, *name);
    }
    in.put_value(place, std::move(request));
    if (auto headers = graphql_headers(in); !headers.empty())
        in.put_value("headers", std::move(headers));
    if (in.word("responseFormat", "json") == "string") in.put_value("response", "text");
    if (!in.node().credentials.empty() && in.word("authentication", "none") != "none")
        in.put_value("credential", json::value(in.credential("credential", "api")));
    in.remarks.emplace_back("errors of the query come as an item; in n8n the node fails");
}

} // namespace

extern constinit mapping const graphql_mapping{
    .types = graphql_types, .map = map_graphql, .renamed = graphql_members};

} // namespace postrider::agent::flow::n8n
