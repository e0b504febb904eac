#include "agent/flow/n8n/nodes/answers.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow::n8n {

namespace json = boost::json;

namespace {

constexpr int deepest_example = 8;

json::value const* parser_parameter(workflow_node const& parser, std::string_view key) {
    auto const* value = parser.parameters.if_contains(key);
    return value && value->is_string() && !value->get_string().empty() ? value : nullptr;
}

} // namespace

json::object schema_of_example(json::value const& example, int depth) {
    if (depth == deepest_example) return {};
    if (auto const* object = example.if_object()) {
        json::object properties;
        for (auto const& [name, member] : *object)
            properties[name] = schema_of_example(member, depth + 1);
        return {{"type", "object"}, {"properties", std::move(properties)}};
    }
    if (auto const* array = example.if_array()) {
        json::object schema{{"type", "array"}};
        if (!array->empty()) schema["items"] = schema_of_example(array->front(), depth + 1);
        return schema;
    }
    if (example.is_bool()) return {{"type", "boolean"}};
    if (example.is_number()) return {{"type", "number"}};
    if (example.is_string()) return {{"type", "string"}};
    return {};
}

std::optional<json::object> schema_of_parser(translation const& in) {
    auto parsers = in.parts("ai_outputParser");
    // An autofixing parser hangs between.
    for (std::size_t i = 0; i < parsers.size() && i < 4; ++i)
        for (auto inner : in.flow().feeders(parsers[i], "ai_outputParser"))
            parsers.push_back(inner);
    for (auto const index : parsers) {
        auto const& parser = in.part(index);
        if (parser.short_type() == "outputParserItemList")
            return json::object{{"type", "array"}, {"items", {{"type", "string"}}}};
        for (std::string_view key : {"inputSchema", "jsonSchema", "jsonSchemaExample"}) {
            auto const* text = parser_parameter(parser, key);
            auto value = text ? read_json_template(text->get_string()) : std::nullopt;
            if (!value) continue;
            bool const is_schema = key != "jsonSchemaExample" && value->is_object();
            return is_schema ? value->get_object() : schema_of_example(*value);
        }
    }
    return std::nullopt;
}

void put_schema(translation& in, json::object schema) {
    in.put_value("output_format", "json_schema");
    in.put_value("schema", std::move(schema));
}

void attach_model(translation& in, std::string_view path) {
    json::object parameters{{"credential", in.credential("", "openai")}};
    auto const model = in.word(path);
    if (!model.empty() && model.find("{{") == model.npos) parameters["model"] = model;
    in.attach("ai_model", "model.openai", std::move(parameters));
}

} // namespace postrider::agent::flow::n8n
