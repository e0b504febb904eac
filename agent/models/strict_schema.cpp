#include "agent/models/wire.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent::wire {

namespace json = boost::json;

namespace {

// What the strict modes of both vendors know. Bounds of numbers and lengths are not among it:
// Anthropic's refuses them.
constexpr std::array<std::string_view, 12> known_words{
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "const",
    "anyOf",
    "$ref",
    "$defs",
    "title",
    "description"};

bool is_known(json::string_view word) {
    return std::ranges::find(known_words, std::string_view(word.data(), word.size())) !=
           known_words.end();
}

bool is_required(json::object const& schema, json::string_view name) {
    auto const* required = schema.if_contains("required");
    auto const* names = required ? required->if_array() : nullptr;
    return names && std::ranges::find(*names, json::value(name)) != names->end();
}

bool fits(json::value const& schema);

bool all_fit(json::value const& schemas) {
    if (auto const* list = schemas.if_array()) return std::ranges::all_of(*list, fits);
    auto const* named = schemas.if_object();
    return named &&
           std::ranges::all_of(*named, [](auto const& member) { return fits(member.value()); });
}

bool is_closed(json::object const& schema) {
    auto const* others = schema.if_contains("additionalProperties");
    auto const* properties = schema.if_contains("properties");
    auto const* members = properties ? properties->if_object() : nullptr;
    return others && *others == json::value(false) && members &&
           std::ranges::all_of(*members, [&](auto const& member) {
               return is_required(schema, member.key());
           });
}

// They refuse a schema that allows anything.
bool says_something(json::object const& schema) {
    constexpr std::array<std::string_view, 5> words{"type", "anyOf", "$ref", "enum", "const"};
    return std::ranges::any_of(words, [&](auto word) { return schema.contains(word); });
}

bool fits(json::value const& value) {
    auto const* schema = value.if_object();
    if (!schema || !says_something(*schema)) return false;
    for (auto const& [word, about] : *schema) {
        if (!is_known(word)) return false;
        if ((word == "properties" || word == "$defs" || word == "anyOf") && !all_fit(about))
            return false;
        if (word == "items" && !fits(about)) return false;
    }
    auto const* type = schema->if_contains("type");
    bool const object = (type && *type == json::value("object")) || schema->contains("properties");
    return !object || is_closed(*schema);
}

} // namespace

bool has_object_root(json::object const& schema) {
    auto const* type = schema.if_contains("type");
    return type && *type == "object";
}

bool fits_strict_mode(json::object const& schema) {
    auto const* type = schema.if_contains("type");
    return type && *type == json::value("object") && !schema.contains("anyOf") && fits(schema);
}

} // namespace postrider::agent::wire
