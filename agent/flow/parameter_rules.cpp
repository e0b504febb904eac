#include "agent/flow/parameter_rules.hpp"

#include "agent/flow/parameters.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

bool allows(json::object const& property, std::string_view type) {
    auto const* named = property.if_contains("type");
    if (!named) return true;
    if (auto const* types = named->if_array())
        return std::ranges::find(*types, json::value(type)) != types->end();
    return *named == json::value(type);
}

bool only_text(json::object const& property) {
    auto const* type = property.if_contains("type");
    return type && *type == json::value("string");
}

} // namespace

std::vector<parameter_rule> parameter_rules_of(json::object const& schema) {
    std::vector<parameter_rule> rules;
    auto const* properties = schema.if_contains("properties");
    if (!properties) return rules;
    for (auto const& [name, value] : properties->as_object()) {
        auto const& property = value.as_object();
        parameter_rule rule;
        rule.name = name;
        rule.may_be_null = allows(property, "null");
        rule.only_text = only_text(property);
        rule.may_have_formats = property.contains("x-format") || property.contains("properties") ||
                                property.contains("items");
        auto const* fallback = property.if_contains("default");
        if (fallback && !holds_expression(*fallback)) rule.fallback = *fallback;
        rules.push_back(std::move(rule));
    }
    return rules;
}

} // namespace postrider::agent::flow
