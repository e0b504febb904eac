#include "agent/flow/n8n/mapping.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view convert_to_file_types[]{"convertToFile"};

// A file that is written in the item, as the parts of a multipart request take it.
void map_convert_to_file(translation& in) {
    auto const operation = in.word("operation", "csv");
    auto const source = [&] { return in.field("fields", in.word("sourceProperty", "data")); };
    std::string base64;
    std::string_view type = "application/octet-stream";
    if (operation == "toBinary") {
        base64 = source();
    } else if (operation == "toText") {
        base64 = "base64.encode(string(" + source() + "))";
        type = "text/plain";
    } else if (operation == "toJson") {
        bool const is_by_item = in.word("mode") == "each";
        base64 = is_by_item ? "base64.encode(toJson($json))" : "base64.encode(toJson($input))";
        type = "application/json";
    } else {
        return in.become_placeholder("it made a file: " + operation);
    }
    in.become("set");
    auto const part = [&](std::string_view path, std::string_view usual) {
        auto const* value = in.find(path);
        auto const text = value ? in.operand("fields", *value) : std::nullopt;
        return text && text->source != "\"\"" ? text->source : text_literal(usual);
    };
    auto const written = [&](std::string_view bytes) {
        return fmt::format(
            "{{\"filename\": {}, \"type\": {}, \"base64\": {}}}",
            part("options.fileName", "file"),
            part("options.mimeType", type),
            bytes
        );
    };
    // What was a file before stays the one that it was.
    auto const file =
        operation == "toBinary"
            ? fmt::format("cel.bind(v, {}, type(v) == \"object\" ? v : {})", base64, written("v"))
            : written(base64);
    in.put_value("fields", boost::json::object{{"file", in_braces(file)}});
    in.put_value("keep_others", false);
    in.warn(
        "n8n_difference",
        "fields",
        "the file is written in the item; parts of a multipart request and an agent's images take "
        "it",
        "a message in Telegram takes files of answers and of messages alone"
    );
}

} // namespace

extern constinit mapping const convert_to_file_mapping{
    .types = convert_to_file_types, .map = map_convert_to_file};

} // namespace postrider::agent::flow::n8n
