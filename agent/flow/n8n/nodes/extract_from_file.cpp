#include "agent/flow/n8n/nodes/extract_from_file.hpp"

#include "agent/flow/document/definition.hpp"

#include <algorithm>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view extract_from_file_types[]{"extractFromFile"};

// The answer of a request in front comes as a text.
bool reads_answer(translation const& in) {
    auto const feeders = in.parts(main_connection);
    return !feeders.empty() && std::ranges::all_of(feeders, [&](std::size_t feeder) {
        return in.part(feeder).short_type() == "httpRequest";
    });
}

void map_extract_from_file(translation& in) {
    auto const operation = in.word("operation", "csv");
    if (operation == "binaryToPropery") {
        in.become("set");
        in.put_value(
            "fields",
            boost::json::object{
                {in.word("destinationKey", "data"),
                 "{{ $json.?file.base64.hasValue() ? $json.file.base64 : $json.?file }}"}}
        );
        in.put_value("keep_others", true);
        in.warn(
            "n8n_difference",
            "fields",
            "a file of a message or an answer is a reference here, and no base64",
            "a request with response: base64 gets what is in a file"
        );
        return;
    }
    if (!is_text_file(in.node()) || !reads_answer(in))
        return in.become_placeholder("it read a file: " + operation);
    if (operation == "csv") {
        in.become("csv.read");
        return in.put_value("text", "{{ $json.body }}");
    }
    in.become("set");
    in.put_value(
        "fields",
        boost::json::object{
            {in.word("destinationKey", "data"),
             operation == "fromJson" ? "{{ fromJson($json.body) }}" : "{{ $json.body }}"}}
    );
    in.put_value("keep_others", false);
}

} // namespace

bool is_text_file(workflow_node const& node) {
    constexpr std::string_view texts[]{"csv", "text", "html", "xml", "fromJson"};
    auto const* operation = node.parameters.if_contains("operation");
    if (!operation || !operation->is_string()) return true; // of CSV
    return std::ranges::find(texts, std::string_view(operation->get_string())) != std::end(texts);
}

extern constinit mapping const extract_from_file_mapping{
    .types = extract_from_file_types, .map = map_extract_from_file};

} // namespace postrider::agent::flow::n8n
