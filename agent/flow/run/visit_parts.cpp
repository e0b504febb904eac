#include "agent/flow/run/visit_parts.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

visit_parts::visit_parts(place at, std::size_t host)
    : place_(at),
      host_(at.owner.graph_.nodes()[host]) {}

std::vector<connected_part> visit_parts::connected(part_kind const& kind) const {
    std::vector<connected_part> parts;
    for (auto index : host_.parts) {
        auto const& compiled = place_.owner.graph_.nodes()[index];
        if (compiled.type->outputs.front().type != kind.name) continue;
        auto const& node = *compiled.node;
        parts.push_back({&node, "part:" + node.id, compiled.fitted.has_value(), index});
    }
    return parts;
}

std::any& visit_parts::lasting(part_kind const& kind) const {
    return host_.lasting_parts[kind.name];
}

base::awaitable<base::result<made_part>> visit_parts::make_any(connected_part const& part) {
    auto const& compiled = place_.owner.graph_.nodes()[part.at];
    std::vector<from_ai_call> calls;
    if (!part.is_constant) calls = compiled.parameters.references().from_ai;
    json::object nothing_given;
    for (auto const& call : calls) nothing_given[call.key] = nullptr;
    auto evaluate = [place = place_, index = part.at](json::object const& arguments, int call) {
        auto const& agent = *place.owner.graph_.nodes()[place.visited].node;
        tool_call_names const call_names{arguments, agent.id, call};
        item_names const names(place.owner.names_, index, place.input, place.item, &call_names);
        return place.owner.parameters(index, names);
    };
    auto const parameters = evaluate(nothing_given, 0);
    if (!parameters) co_return parameters.error();
    auto& context = place_.owner.context_;
    visit_parts nested(place_, part.at);
    part_run run{
        *compiled.node,
        *parameters,
        std::move(calls),
        evaluate,
        context.services,
        context.conversation,
        place_.steps,
        part.step,
        nested,
        place_.item,
        context.reservations,
        context.audit};
    co_return co_await std::get<flow::part>(compiled.type->behaviour).make(run);
}

} // namespace postrider::agent::flow
