#include "agent/flow/n8n/placeholder.hpp"

#include "base/json/text.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace postrider::agent::flow::n8n {

namespace json = boost::json;

namespace {

// Parts, by the kind of n8n's connection that they feed.
struct placeholder_part {
    std::string_view kind;
    std::string_view type;
    std::string_view output;
};
constexpr std::array<placeholder_part, 3> placeholder_parts{{
    {"ai_tool", "tool.http_request", "ai_tool"},
    {"ai_languageModel", "model", "ai_model"},
    {"ai_memory", "memory.window", "ai_memory"},
}};

// "googleSheets, resource sheet, operation append"
std::string summary_of_node(workflow_node const& node) {
    std::string text = node.type;
    for (auto key : {"resource", "operation", "mode", "action"}) {
        auto const* value = node.parameters.if_contains(key);
        if (value && value->is_string())
            text += fmt::format(", {} {}", key, std::string_view(value->get_string()));
    }
    return text;
}

} // namespace

draft_node placeholder_of(workflow const& flow, std::size_t index, std::string_view reason) {
    auto const& node = flow.nodes[index];
    draft_node draft;
    draft.type = "set";
    draft.parameters = {{"fields", json::object()}};
    draft.disabled = true;
    draft.notes = fmt::format(
        "In n8n: {}.{}{}\nIts parameters:\n{}",
        summary_of_node(node),
        reason.empty() ? "" : "\n",
        reason,
        base::json_text(node.parameters)
    );
    std::size_t outputs = 0;
    bool const has_input = !flow.feeders(index, "main").empty();
    for (auto const number : flow.links_from(index)) {
        auto const& link = flow.links[number];
        if (link.kind == "main") outputs = std::max(outputs, link.output + 1);
        auto const part = std::ranges::find(placeholder_parts, link.kind, &placeholder_part::kind);
        if (part == placeholder_parts.end()) continue;
        draft.type = part->type;
        draft.outputs = {std::string(part->output)};
        draft.parameters.clear();
        if (part->kind == "ai_tool") draft.parameters["name"] = identifier_of(node.name, "tool");
        return draft;
    }
    if (!has_input && node.short_type().ends_with("rigger")) {
        draft.type = "manual";
        draft.parameters.clear();
    } else if (outputs > 1) {
        // Items that pass a disabled node go to its first output.
        draft.type = "switch";
        draft.outputs.clear();
        json::array rules;
        for (std::size_t i = 0; i < std::min<std::size_t>(outputs, 50); ++i) {
            draft.outputs.push_back(fmt::format("output {}", i + 1));
            rules.push_back({{"name", draft.outputs.back()}, {"condition", false}});
        }
        draft.parameters = {{"rules", std::move(rules)}};
    }
    return draft;
}

} // namespace postrider::agent::flow::n8n
