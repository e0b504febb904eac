#include "agent/flow/library/callees.hpp"

#include "agent/flow/catalog.hpp"
#include "agent/flow/trigger.hpp"
#include "storage/stores/flows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace postrider::agent::flow {

namespace {

bool is_callable(definition const& flow, catalog const& types) {
    return std::ranges::any_of(flow.nodes, [&](node const& node) {
        auto const* node_trigger = trigger_of(node, types);
        return node_trigger && node_trigger->source == trigger_source::caller;
    });
}

// Null where nothing can be said of it: it is not published, or by a newer product.
std::optional<definition> opening_named(storage::transaction& tx, std::string_view name) {
    auto const callee = storage::find_flow(tx, name);
    if (!callee) return std::nullopt;
    for (auto const& row : storage::list_openings(tx, {callee->id})) {
        auto read = read_definition(row.document);
        if (auto* opening = std::get_if<definition>(&read)) return std::move(*opening);
    }
    return std::nullopt;
}

} // namespace

std::vector<problem> uncallable_flows(
    storage::transaction& tx, definition const& flow, catalog const& types
) {
    std::map<std::string_view, bool> callable{{flow.name, is_callable(flow, types)}};
    std::vector<problem> problems;
    for (std::size_t at = 0; at < flow.nodes.size(); ++at) {
        auto const& node = flow.nodes[at];
        // By the parameter that every reference to a flow has (failing_flows.cpp).
        auto const* value = node.parameters.if_contains("flow");
        auto const* name = value ? value->if_string() : nullptr;
        if (!name) continue;
        auto [entry, fresh] = callable.try_emplace(*name, true);
        if (fresh)
            if (auto const opening = opening_named(tx, *name))
                entry->second = is_callable(*opening, types);
        if (entry->second) continue;
        problems.push_back(
            {.code = "not_callable",
             .path = below(below(below("/nodes", at), "parameters"), "flow"),
             .message =
                 fmt::format("the flow {} has no Manual trigger, which calls start", entry->first),
             .hint = "give it one and publish it, or call another flow",
             .node = node.name,
             .severity = node.disabled ? severity::warning : severity::error}
        );
    }
    return problems;
}

} // namespace postrider::agent::flow
