// What works, and could be simpler.
#include "agent/flow/validate/inspection.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

void check_advice(inspection& in, std::size_t at) {
    auto const& node = in.flow.nodes[at];
    auto const* acting = std::get_if<durable>(&in.type_of[at]->behaviour);
    if (!acting || !acting->simpler_type || node.disabled) return;
    auto const simpler = acting->simpler_type(node.parameters);
    auto const* type = simpler.empty() ? nullptr : in.types.find(simpler);
    if (!type) return;
    in.add(
        node,
        {.code = "simpler_node",
         .path = node.path,
         .message = fmt::format("{} can do this with an expression", in_quotes(type->title)),
         .hint = fmt::format("use a node of the type {}: it needs no process", simpler),
         .severity = severity::warning}
    );
}

} // namespace postrider::agent::flow
