#include "agent/flow/run/visit_parts.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

visit_parts::visit_parts(place of, std::size_t host) : of_(of), host_(of.in.graph_.nodes()[host]) {}

std::vector<connected_part> visit_parts::connected(part_kind const& kind) const {
    std::vector<connected_part> parts;
    for (auto at : host_.parts) {
        auto const& compiled = of_.in.graph_.nodes()[at];
        if (compiled.type->outputs.front().type != kind.name) continue;
        auto const& node = *compiled.node;
        parts.push_back({&node, "part:" + node.id, compiled.fitted.has_value(), at});
    }
    return parts;
}

std::any& visit_parts::lasting(part_kind const& kind) const {
    return host_.lasting_parts[kind.name];
}

base::awaitable<base::result<made_part>> visit_parts::make_any(connected_part const& part) {
    auto const& compiled = of_.in.graph_.nodes()[part.at];
    std::vector<from_ai_call> calls;
    if (!part.is_constant) calls = compiled.parameters.references().from_ai;
    json::object nothing_given;
    for (auto const& call : calls) nothing_given[call.key] = nullptr;
    auto evaluate = [of = of_, at = part.at](json::object const& arguments, int call) {
        auto const& agent = *of.in.graph_.nodes()[of.visited].node;
        tool_call_names const call_names{arguments, agent.id, call};
        item_names const names(of.in.names_, at, of.input, of.item, &call_names);
        return of.in.parameters(at, names);
    };
    auto const parameters = evaluate(nothing_given, 0);
    if (!parameters) co_return parameters.error();
    auto& context = of_.in.context_;
    visit_parts nested(of_, part.at);
    part_run run{
        *compiled.node,
        *parameters,
        std::move(calls),
        evaluate,
        context.services,
        context.conversation,
        of_.steps,
        part.step,
        nested};
    co_return co_await std::get<flow::part>(compiled.type->behaviour).make(run);
}

} // namespace postrider::agent::flow
