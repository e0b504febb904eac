#include "agent/models/schema_keywords.hpp"

#include "agent/json_schema/pattern.hpp"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <cmath>

namespace postrider::agent::wire {

namespace json = boost::json;

namespace {

bool is_filled_list(json::value const& value) {
    return value.is_array() && !value.get_array().empty();
}

bool is_choice(json::value const& value) {
    return is_filled_list(value) && std::ranges::all_of(value.get_array(), is_schema);
}

bool is_text(json::value const& value) {
    return value.is_string();
}

bool is_expression(std::string_view text) {
    return json_schema::pattern::is_valid(text);
}

bool is_pattern(json::value const& value) {
    return value.is_string() && is_expression(value.get_string());
}

// Which members the pattern would take is not known: no other member may be refused then.
void drop_unusable_patterns(json::object& schema) {
    auto* member = schema.if_contains("patternProperties");
    auto* patterns = member ? member->if_object() : nullptr;
    if (!patterns) return;
    json::object usable;
    for (auto const& [text, within] : *patterns)
        if (is_expression(text)) usable[text] = within;
    if (usable.size() == patterns->size()) return;
    bool const is_none = usable.empty();
    *patterns = std::move(usable);
    if (is_none) schema.erase("patternProperties");
    schema.erase("additionalProperties");
    schema.erase("unevaluatedProperties");
}

// Of "dependentRequired".
bool is_map_of_texts(json::value const& value) {
    return value.is_object() && std::ranges::all_of(value.get_object(), [](auto const& member) {
               auto const* names = member.value().if_array();
               return names && std::ranges::all_of(*names, is_text);
           });
}

bool is_positive(json::value const& value) {
    return value.is_number() && value.to_number<double>() > 0;
}

bool is_count(json::value const& value) {
    if (!value.is_number()) return false;
    auto const number = value.to_number<double>();
    return number >= 0 && std::trunc(number) == number;
}

struct keyword_value {
    std::string_view name;
    bool (*fits)(json::value const&);
};

constexpr auto flag_value = [](json::value const& value) { return value.is_bool(); };
constexpr auto list_value = [](json::value const& value) { return value.is_array(); };
constexpr auto object_value = [](json::value const& value) { return value.is_object(); };
constexpr auto number_value = [](json::value const& value) { return value.is_number(); };

constexpr keyword_value keyword_values[]{
    {"title", is_text},
    {"description", is_text},
    {"$comment", is_text},
    {"$id", is_text},
    {"$anchor", is_text},
    {"$ref", is_text},
    {"format", is_text},
    {"pattern", is_pattern},
    {"contentEncoding", is_text},
    {"contentMediaType", is_text},
    {"uniqueItems", flag_value},
    {"deprecated", flag_value},
    {"readOnly", flag_value},
    {"writeOnly", flag_value},
    {"required", list_value}, // draft 3 says it of the member itself
    {"examples", list_value},
    {"enum", is_filled_list},
    {"anyOf", is_choice},
    {"oneOf", is_choice},
    {"allOf", is_filled_list},
    {"prefixItems", is_filled_list},
    {"dependentRequired", is_map_of_texts},
    {"minimum", number_value},
    {"maximum", number_value},
    {"exclusiveMinimum", number_value},
    {"exclusiveMaximum", number_value},
    {"multipleOf", is_positive},
    {"minLength", is_count},
    {"maxLength", is_count},
    {"minItems", is_count},
    {"maxItems", is_count},
    {"minContains", is_count},
    {"maxContains", is_count},
    {"minProperties", is_count},
    {"maxProperties", is_count},
};

} // namespace

bool is_schema(json::value const& value) {
    return value.is_object() || value.is_bool();
}

void drop_unusable_keywords(json::object& schema) {
    auto const drop_unless = [&](std::string_view name, auto fits) {
        auto const* value = schema.if_contains(name);
        if (value && !fits(*value)) schema.erase(name);
    };
    for (auto const& [name, fits] : keyword_values) drop_unless(name, fits);
    for (auto const name : single_schemas) drop_unless(name, is_schema);
    for (auto const name : maps_of_schemas) drop_unless(name, object_value);
    drop_unusable_patterns(schema);
}

} // namespace postrider::agent::wire
