#pragma once
// Private to agent/models: the keywords of JSON Schema by the kind of their values. Pure.
#include <boost/json/object.hpp>

#include <array>
#include <string_view>

namespace postrider::agent::wire {

inline constexpr std::array<std::string_view, 10> single_schemas{
    "items",
    "additionalProperties",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties"};
inline constexpr std::array<std::string_view, 4> lists_of_schemas{
    "anyOf", "oneOf", "allOf", "prefixItems"};
inline constexpr std::array<std::string_view, 6> maps_of_schemas{
    "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"};

bool is_schema(boost::json::value const& value);

// Drops each keyword whose value is of another kind, and regular expressions that the check of a call does not
// run: providers refuse a tool for them.
void drop_unusable_keywords(boost::json::object& schema);

} // namespace postrider::agent::wire
