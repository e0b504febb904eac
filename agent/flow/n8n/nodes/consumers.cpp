#include "agent/flow/n8n/nodes/consumers.hpp"

#include "agent/flow/document/definition.hpp"
#include "agent/flow/n8n/nodes/extract_from_file.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace postrider::agent::flow::n8n {

namespace json = boost::json;

namespace {

constexpr std::size_t most_consumers = 20;
constexpr std::size_t most_read = 20'000; // bytes of the texts of one

// Behind the node, and behind those that pass its items on.
std::vector<workflow_node const*> consumers_of(translation const& in) {
    std::vector<std::size_t> places{in.index()};
    std::vector<workflow_node const*> nodes;
    for (std::size_t at = 0; at < places.size(); ++at) {
        auto const* mapped = find_mapping(in.part(places[at]).short_type());
        if (at > 0 && !(mapped && mapped->items == passing::same)) continue;
        for (auto const number : in.flow().links_from(places[at])) {
            auto const& link = in.flow().links[number];
            if (link.kind != main_connection || nodes.size() == most_consumers) continue;
            if (std::ranges::find(places, link.to) != places.end()) continue;
            places.push_back(link.to);
            nodes.push_back(&in.part(link.to));
        }
    }
    return nodes;
}

// A text of the parameters fits; `budget` bounds how much of them is looked at.
template<class Test>
bool any_text(json::value const& value, std::size_t& budget, Test const& test) {
    if (budget == 0) return false;
    --budget;
    if (auto const* text = value.if_string()) {
        budget -= std::min(budget, text->size());
        return test(std::string_view(text->data(), text->size()));
    }
    if (auto const* list = value.if_array())
        return std::ranges::any_of(*list, [&](auto const& item) {
            return any_text(item, budget, test);
        });
    auto const* object = value.if_object();
    return object && std::ranges::any_of(*object, [&](auto const& member) {
               return any_text(member.value(), budget, test);
           });
}

template<class Test>
bool any_parameter(workflow_node const& node, Test const& test) {
    auto budget = most_read;
    return std::ranges::any_of(node.parameters, [&](auto const& member) {
        return any_text(member.value(), budget, test);
    });
}

// `$json.data.match(…)`, or JSON.parse($json.data)
bool reads_data_as_text(std::string_view text) {
    constexpr std::string_view names[]{
        "$json.data", "$json?.data", "$json[\"data\"]", "$json['data']"};
    constexpr std::string_view methods[]{
        "match(",
        "matchAll(",
        "replace(",
        "replaceAll(",
        "split(",
        "substring(",
        "trim(",
        "toLowerCase(",
        "startsWith("};
    for (auto const name : names)
        for (auto at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
            if (text.substr(0, at).ends_with("JSON.parse(")) return true;
            auto rest = text.substr(at + name.size());
            if (rest.starts_with('?')) rest.remove_prefix(1);
            if (!rest.starts_with('.')) continue;
            rest.remove_prefix(1);
            if (std::ranges::any_of(methods, [&](auto word) { return rest.starts_with(word); }))
                return true;
        }
    return false;
}

bool has_word(workflow_node const& node, std::string_view key, std::string_view text) {
    auto const* value = node.parameters.if_contains(key);
    return value && value->is_string() && std::string_view(value->get_string()) == text;
}

bool takes_text(workflow_node const& node) {
    auto const type = node.short_type();
    if (type == "markdown" || type == "htmlExtract") return true;
    if (type == "xml") return !has_word(node, "mode", "jsonToxml");
    if (type == "html") return has_word(node, "operation", "extractHtmlContent");
    if (type == "extractFromFile") return is_text_file(node);
    return any_parameter(node, reads_data_as_text);
}

bool takes_file(workflow_node const& node) {
    auto const type = node.short_type();
    auto const* flag = node.parameters.if_contains("binaryData");
    if (type == "telegram") return flag && *flag == true;
    if (type == "respondToWebhook") return has_word(node, "respondWith", "binary");
    if (type == "openAi")
        return has_word(node, "operation", "transcribe") ||
               has_word(node, "operation", "translate") || has_word(node, "inputType", "base64");
    if (type == "extractFromFile") return !is_text_file(node);
    if (type != "httpRequest") return false;
    return has_word(node, "contentType", "binaryData") ||
           any_parameter(node, [](std::string_view text) { return text == "formBinaryData"; });
}

} // namespace

bool consumers_take_text(translation const& in) {
    auto const nodes = consumers_of(in);
    return std::ranges::any_of(nodes, [](auto const* node) { return takes_text(*node); });
}

bool consumers_take_file(translation const& in) {
    auto const nodes = consumers_of(in);
    return std::ranges::any_of(nodes, [](auto const* node) { return takes_file(*node); });
}

} // namespace postrider::agent::flow::n8n
