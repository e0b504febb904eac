#include "server/hooks/request_item.hpp"

#include "base/ascii.hpp"
#include "base/json/json.hpp"
#include "base/json/nul.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <array>

namespace postrider::hooks {

namespace json = boost::json;

namespace {

using base::is_utf8;

constexpr std::array<std::string_view, 4> kept_outside{
    "authorization", "proxy-authorization", "cookie", "set-cookie"};

base::error invalid(std::string mistake) {
    return {base::errc::invalid, std::move(mistake)};
}

json::object headers_of(net::http_request const& request, std::string_view secret_header) {
    json::object object;
    for (auto const& [name, value] : request.headers) {
        auto const key = base::to_lower(name);
        bool const outside = std::ranges::find(kept_outside, key) != kept_outside.end();
        if (outside || net::equals_without_case(key, secret_header) || !is_utf8(value)) continue;
        auto const [place, fresh] = object.emplace(key, value);
        if (!fresh) place->value().as_string().append(", ").append(value);
    }
    return object;
}

// "application/json; charset=utf-8", "application/cloudevents+json".
bool is_json(std::string_view content_type) {
    auto type = base::to_lower(std::string(content_type.substr(0, content_type.find(';'))));
    type.erase(type.find_last_not_of(' ') + 1);
    return type == "application/json" || type.ends_with("+json");
}

base::result<json::value> body_of(net::http_request const& request) {
    if (request.body.empty()) return json::value(nullptr);
    if (is_json(request.headers.find("Content-Type"))) {
        auto parsed = base::parse_json(request.body);
        if (!parsed) return invalid("the body is " + parsed.error().detail);
        return std::move(*parsed);
    }
    if (!is_utf8(request.body)) return invalid("the body is no text in UTF-8");
    return json::value(request.body);
}

} // namespace

base::result<json::object> item_of(
    net::http_request const& request, std::string_view path, std::string_view secret_header
) {
    auto query = fields_of(request.query);
    if (!query) return query.error();
    auto body = body_of(request);
    if (!body) return body.error();
    if (base::holds_nul(*body)) return base::nul_refusal("the body");
    json::object item;
    item["method"] = request.method;
    item["path"] = path;
    item["query"] = std::move(*query);
    item["headers"] = headers_of(request, secret_header);
    item["body"] = std::move(*body);
    return item;
}

base::result<json::object> fields_of(std::string_view encoded) {
    json::object fields;
    for (auto const& [name, value] : net::parse_query(encoded)) {
        if (!name || !value || !is_utf8(*name) || !is_utf8(*value))
            return invalid("the query cannot be decoded");
        if (base::has_nul(*name) || base::has_nul(*value)) return base::nul_refusal("the query");
        fields.emplace(*name, *value);
    }
    return fields;
}

} // namespace postrider::hooks
