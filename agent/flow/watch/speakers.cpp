#include "agent/flow/watch/speakers.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace {

bool answers_with_its_item(compiled_node const& compiled) {
    if (!compiled.type || compiled.type->group != group::action || compiled.node->disabled)
        return false;
    auto const& written = compiled.node->parameters;
    auto const* text = written.if_contains("text");
    if (!text || !text->is_string()) return false;
    std::string expression(text->as_string());
    std::erase(expression, ' ');
    return expression == "{{$json.text}}" && !written.contains("chat") && !written.contains("bot");
}

bool is_heard(graph const& of, compiled_node const& agent) {
    return std::ranges::any_of(agent.main_outputs, [&](std::size_t at) {
        auto const& used = of.flow().connections[at];
        return used.output == agent.first_output && answers_with_its_item(of.nodes()[used.to]);
    });
}

} // namespace

std::set<std::string> speakers_of(graph const& of) {
    std::set<std::string> speakers;
    for (auto const& node : of.nodes())
        if (node.type && node.type->group == group::agent && is_heard(of, node))
            speakers.insert(node.node->id);
    return speakers;
}

} // namespace postrider::agent::flow
