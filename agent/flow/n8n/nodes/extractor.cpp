#include "agent/flow/n8n/mapping.hpp"
#include "agent/flow/n8n/nodes/answers.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view extractor_types[]{"informationExtractor"};

constexpr renamed_member fact_members[]{{"output", "facts"}};

renamed_members extractor_members(translation const&) {
    return fact_members;
}

boost::json::object schema_of_attributes(boost::json::value const* list) {
    boost::json::object properties;
    boost::json::array required;
    for (std::size_t i = 0; list && list->is_array() && i < list->get_array().size(); ++i) {
        auto const* entry = list->get_array()[i].if_object();
        auto const* name = entry ? entry->if_contains("name") : nullptr;
        if (!name || !name->is_string()) continue;
        auto const* type = entry->if_contains("type");
        auto const* description = entry->if_contains("description");
        auto const* must = entry->if_contains("required");
        bool const plain = type && (*type == "number" || *type == "boolean");
        boost::json::object property{{"type", plain ? *type : boost::json::value("string")}};
        if (description) property["description"] = *description;
        properties[name->get_string()] = std::move(property);
        if (must && must->is_bool() && must->get_bool()) required.push_back(*name);
    }
    return {
        {"type", "object"},
        {"properties", std::move(properties)},
        {"required", std::move(required)}};
}

void map_extractor(translation& in) {
    in.become("extract");
    in.put("text", "text");
    in.put("instructions", "options.systemPromptTemplate");
    for (std::string_view path : {"inputSchema", "jsonSchemaExample"}) {
        auto const* text = in.find(path);
        auto value =
            text && text->is_string() ? read_json_template(text->get_string()) : std::nullopt;
        if (!value) continue;
        bool const is_schema = path == "inputSchema" && value->is_object();
        return in.put_value(
            "schema", constant_schema(is_schema ? value->get_object() : schema_of_example(*value))
        );
    }
    in.put_value("schema", constant_schema(schema_of_attributes(in.find("attributes.attributes"))));
}

} // namespace

extern constinit mapping const extractor_mapping{
    .types = extractor_types, .map = map_extractor, .renamed = extractor_members};

} // namespace postrider::agent::flow::n8n
