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

// Without its expressions: what they gave is not there yet when the flow is read.
std::string constant_text(std::string_view text) {
    std::string result;
    for (auto const& piece : pieces_of(text))
        if (!piece.is_expression) result += piece.text;
    for (auto at = result.find("{{"); at != result.npos; at = result.find("{{", at))
        result.replace(at, 2, "{");
    return result;
}

// A computed name keeps the last word of its expression.
std::string constant_name(std::string_view name) {
    auto text = constant_text(name);
    if (text.empty()) {
        auto const end = name.find_last_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
        auto const begin = name.find_last_of(" .'\"", end);
        if (end != name.npos && begin != name.npos) text = name.substr(begin + 1, end - begin);
    }
    return text.empty() ? "value" : text;
}

json::value constant_value(json::value const& value, int depth) {
    if (depth > 20) return nullptr;
    if (auto const* text = value.if_string())
        return json::value(constant_text({text->data(), text->size()}));
    if (auto const* list = value.if_array()) {
        json::array result;
        for (auto const& item : *list) result.push_back(constant_value(item, depth + 1));
        return result;
    }
    auto const* object = value.if_object();
    if (!object) return value;
    json::object result;
    for (auto const& [name, member] : *object) {
        auto key = constant_name(name);
        for (int number = 2; result.contains(key); ++number)
            key = constant_name(name) + "_" + std::to_string(number);
        if (name == "required" && member.is_bool()) continue; // of an early draft
        auto written = constant_value(member, depth + 1);
        // null in a list of types is the word.
        if (auto* types = written.if_array(); types && name == "type")
            for (auto& type : *types)
                if (type.is_null()) type = "null";
        result[key] = std::move(written);
    }
    return result;
}

// An autofixing parser hangs between.
std::vector<std::size_t> parsers_of(translation const& in) {
    auto parsers = in.parts("ai_outputParser");
    for (std::size_t i = 0; i < parsers.size() && i < 4; ++i)
        for (auto inner : in.flow().feeders(parsers[i], "ai_outputParser"))
            parsers.push_back(inner);
    return parsers;
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

std::optional<double> version_of_parser(translation const& in) {
    auto const parsers = parsers_of(in);
    if (parsers.empty()) return std::nullopt;
    return in.part(parsers.back()).version;
}

std::optional<json::object> schema_of_parser(translation& in) {
    for (auto const index : parsers_of(in)) {
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

json::object constant_schema(json::object const& schema) {
    return constant_value(schema, 0).as_object();
}

void put_schema(translation& in, json::object schema) {
    in.put_value("output_format", "json_schema");
    in.put_value("schema", constant_schema(schema));
}

void attach_model(translation& in, std::string_view path) {
    json::object parameters{{"credential", in.credential("", "openai")}};
    auto const model = in.word(path);
    if (!model.empty() && !in.is_computed(path)) parameters["model"] = model;
    in.attach("ai_model", "model.openai", std::move(parameters));
}

} // namespace postrider::agent::flow::n8n
