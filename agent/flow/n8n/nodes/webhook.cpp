#include "agent/flow/n8n/mapping.hpp"
#include "agent/flow/n8n/nodes/respond.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view webhook_types[]{"webhook"};

// Below /hooks/: characters that need no escapes, and no variable parts.
std::string path_of_webhook(translation const& in) {
    auto const written = in.word("path", in.node().name);
    std::string path;
    for (char c : written) {
        bool const fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') ||
                          std::string_view("-._~/").find(c) != std::string_view::npos;
        bool const repeats = !path.empty() && c == path.back() && (c == '/' || c == '.');
        if (repeats || (path.empty() && c == '/')) continue;
        path += fits ? c : '-';
    }
    while (path.ends_with('/')) path.pop_back();
    return path.empty() ? "webhook" : path.substr(0, 200);
}

std::string method_of_webhook(translation& in) {
    auto const* method = in.find("httpMethod");
    auto const* list = method ? method->if_array() : nullptr;
    if (!list && !in.is_true("multipleMethods")) return in.word("httpMethod", "GET");
    in.warn(
        "n8n_parameter",
        "method",
        "it answered several methods; this one answers the first",
        "make a webhook of the same path for each other method",
        "httpMethod"
    );
    auto const* first = list && !list->empty() ? list->front().if_string() : nullptr;
    return first ? std::string(*first) : "GET";
}

void put_proof(translation& in, std::string const& path) {
    auto const authentication = in.word("authentication", "none");
    if (authentication == "none") {
        in.put_value("authentication", "none");
        in.warn(
            "n8n_parameter",
            "authentication",
            "everybody who knows its path may start this flow, as in n8n",
            "choose bearer, and name a secret",
            "authentication"
        );
        return;
    }
    if (authentication == "headerAuth") in.put_value("authentication", "header");
    if (authentication == "basicAuth" || authentication == "jwtAuth")
        in.warn(
            "n8n_parameter",
            "authentication",
            "requests prove themselves with \"Authorization: Bearer SECRET\" here",
            "",
            "authentication"
        );
    in.put_value("secret", boost::json::value(in.credential("secret", identifier_of(path))));
}

void map_webhook(translation& in) {
    in.become("webhook");
    auto const path = path_of_webhook(in);
    in.put_value("path", boost::json::value(path));
    auto const method = method_of_webhook(in);
    constexpr std::string_view methods[]{"GET", "POST", "PUT", "PATCH", "DELETE"};
    bool const is_method = std::ranges::find(methods, method) != std::end(methods);
    in.put_value("method", boost::json::value(is_method ? method : "GET"));
    put_proof(in, path);
    auto const mode = in.word("responseMode", "onReceived");
    if (mode != "onReceived") put_answer_by_node(in);
}

} // namespace

extern constinit mapping const webhook_mapping{.types = webhook_types, .map = map_webhook};

} // namespace postrider::agent::flow::n8n
