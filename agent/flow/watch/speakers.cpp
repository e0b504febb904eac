#include "agent/flow/watch/speakers.hpp"

#include "agent/expression/template.hpp"

#include <boost/algorithm/string/trim.hpp>

#include <algorithm>
#include <string>

namespace postrider::agent::flow {

namespace {

// The text of its item, and nothing around it.
bool is_text_of_item(boost::json::value const& text) {
    bool is_text = false;
    auto look = [&](found_expression const& expression) {
        auto const around = boost::algorithm::trim_copy(std::string(text.as_string()));
        is_text = expression.text == around && expression.read &&
                  expression.read->is_member_of("$json", "text");
        return false;
    };
    for_each_expression(text, from_ai::refused, look);
    return is_text;
}

bool answers_with_its_item(compiled_node const& compiled) {
    if (!compiled.type || compiled.type->group != group::action || compiled.node->disabled)
        return false;
    auto const& written = compiled.node->parameters;
    auto const* text = written.if_contains("text");
    if (!text || !text->is_string()) return false;
    return is_text_of_item(*text) && !written.contains("chat") && !written.contains("bot");
}

bool is_heard(graph const& graph, compiled_node const& agent) {
    return std::ranges::any_of(agent.main_outputs, [&](std::size_t at) {
        auto const& used = graph.flow().connections[at];
        return used.output == agent.first_output && answers_with_its_item(graph.nodes()[used.to]);
    });
}

} // namespace

std::set<std::string> speakers_of(graph const& graph) {
    std::set<std::string> speakers;
    for (auto const& node : graph.nodes())
        if (node.type && node.type->group == group::agent && is_heard(graph, node))
            speakers.insert(node.node->id);
    return speakers;
}

} // namespace postrider::agent::flow
