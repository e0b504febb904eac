#include "agent/flow/nodes/describe.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

json::object parameters(
    std::string_view properties, std::initializer_list<std::string_view> required
) {
    json::object schema{
        {"type", "object"},
        {"properties", json::parse(properties)},
        {"additionalProperties", false},
    };
    if (required.size() > 0) schema["required"] = json::array(required.begin(), required.end());
    return schema;
}

json::object one_of(json::object schema, std::initializer_list<std::string_view> names) {
    json::array choices;
    for (auto name : names) choices.push_back(json::object{{"required", json::array{name}}});
    schema["oneOf"] = std::move(choices);
    return schema;
}

json::object item_fields(std::string_view properties) {
    return {{"type", "object"}, {"properties", json::parse(properties)}};
}

port main_input() {
    return {.title = "items"};
}

port main_output() {
    return {.title = "items"};
}

} // namespace postrider::agent::flow
