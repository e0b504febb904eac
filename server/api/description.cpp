#include "server/api/description.hpp"

#include "base/json/json.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <set>
#include <stdexcept>

namespace postrider::api {

// openapi.json: all but what the parts add. Embedded when the binary is built.
std::string_view openapi_base();

namespace {

namespace json = boost::json;

json::object read(std::string_view text) {
    auto parsed = base::parse_json(text);
    if (!parsed || !parsed->is_object())
        throw std::logic_error("a part of the API's description is no JSON object");
    return std::move(parsed->get_object());
}

void add(json::object& part, std::string_view name, json::value& target) {
    auto* section = part.if_contains(name);
    if (!section) return;
    auto& all = target.as_object();
    for (auto& member : section->as_object()) {
        auto const [place, is_new] = all.emplace(member.key(), std::move(member.value()));
        if (!is_new)
            throw std::logic_error("the API's description has twice: " + std::string(place->key()));
    }
}

} // namespace

std::string describe(std::span<endpoint const> endpoints) {
    auto document = read(openapi_base());
    auto& components = document.at("components").as_object();
    std::set<std::string_view> parts;
    for (auto const& endpoint : endpoints) {
        if (endpoint.part.empty() || !parts.insert(endpoint.part).second) continue;
        auto part = read(endpoint.part);
        add(part, "paths", document.at("paths"));
        add(part, "responses", components.at("responses"));
        add(part, "schemas", components.at("schemas"));
    }
    return json::serialize(document);
}

} // namespace postrider::api
