#include "agent/flow/n8n/nodes/respond.hpp"

#include "agent/flow/document/definition.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view respond_types[]{"respondToWebhook", "form"};

constexpr std::string_view html_type = "text/html; charset=utf-8";

bool is_respond_node(workflow_node const& node) {
    return !node.disabled &&
           std::ranges::find(respond_types, node.short_type()) != std::end(respond_types);
}

// The last page of a form.
void map_completion(translation& in) {
    if (in.word("operation", "page") != "completion")
        return in.become_placeholder("it asked with another page of its form");
    in.become("http.respond");
    auto const with = in.word("respondWith", "text");
    if (with == "redirect") {
        in.put_value("status", 302);
        if (auto const* url = in.find("redirectUrl"))
            in.put_value(
                "headers", boost::json::object{{"Location", in.converted("headers", *url)}}
            );
        return;
    }
    if (with == "showText") {
        in.put_value("headers", boost::json::object{{"Content-Type", html_type}});
        in.put_markup("body", "responseText");
        return;
    }
    std::string text;
    for (auto path : {"completionTitle", "completionMessage"})
        if (auto const* value = in.find(path);
            value && value->is_string() && !value->get_string().empty())
            text += (text.empty() ? "" : "\n\n") +
                    std::string(in.converted("body", *value).get_string());
    in.put_value("body", boost::json::value(text));
    if (with == "returnBinary") in.warn("n8n_parameter", "body", "it answered with a file");
}

// An answer in HTML: what its expressions give is markup in n8n.
bool answers_html(boost::json::object const& headers) {
    return std::ranges::any_of(headers, [](auto const& header) {
        auto const* type = header.value().if_string();
        return type && std::string_view(*type).find("html") != std::string_view::npos;
    });
}

void map_respond(translation& in) {
    if (in.node().short_type() == "form") return map_completion(in);
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
    bool const is_html = answers_html(headers);
    if (!headers.empty()) in.put_value("headers", std::move(headers));
    auto const* body = in.find("responseBody");
    if (with == "json" && body)
        in.put_value("body", in.converted_json("body", *body));
    else if (with == "text" && body)
        in.put_value(
            "body", is_html ? in.converted_markup("body", *body) : in.converted("body", *body)
        );
    else if (with == "allIncomingItems")
        in.put_value("body", "{{ $input }}");
    else if (with == "firstIncomingItem")
        in.put_value("body", "{{ $json }}");
    else if (with == "binary") {
        in.put_value("body", "{{ $json.?file }}");
        in.warn(
            "n8n_difference",
            "body",
            "n8n answered with the file; an answer here says which file it is",
            "answer with an address, or with base64"
        );
    }
}

} // namespace

void put_answer_by_node(translation& in) {
    in.put_value("respond", "by_node");
    auto const& flow = in.flow();
    std::vector<bool> visited(flow.nodes.size());
    std::vector<std::size_t> open{in.index()};
    while (!open.empty()) {
        auto const node = open.back();
        open.pop_back();
        if (visited[node]) continue;
        visited[node] = true;
        if (is_respond_node(flow.nodes[node])) return;
        for (auto const number : flow.links_from(node))
            if (flow.links[number].kind == main_connection) open.push_back(flow.links[number].to);
    }
    in.answers_with_last = true;
}

extern constinit mapping const respond_mapping{
    .types = respond_types, .map = map_respond, .items = passing::same};

} // namespace postrider::agent::flow::n8n
