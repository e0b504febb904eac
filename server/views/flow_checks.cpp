// The published flows.
#include "agent/flow/catalog.hpp"
#include "agent/flow/document/definition.hpp"
#include "agent/flow/library/failing_flows.hpp"
#include "agent/flow/trigger.hpp"
#include "server/views/database_checks.hpp"
#include "server/views/toolless_agents.hpp"
#include "storage/stores/flows.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::server {

findings look_at_flows(storage::transaction& tx, agent::flow::validator const& validator) {
    findings result;
    for (auto const& flow : agent::flow::failing_flows(tx, validator)) {
        auto const further_errors = flow.errors.size() - 1;
        result.push_back(
            {"flow " + flow.name,
             verdict::warn,
             "it is published and does not fit any more: " + to_text(flow.errors.front()) +
                 (further_errors > 0 ? fmt::format(", and {} more", further_errors) : ""),
             fmt::format("postrider flows export {} | postrider flows validate -", flow.name)}
        );
    }
    return result;
}

bool any_flow_watches_groups(storage::transaction& tx, agent::flow::catalog const& types) {
    namespace flow = agent::flow;
    auto const watches = [&](flow::node const& node) {
        return flow::opening_of<flow::group_opening>(node, types).has_value();
    };
    return std::ranges::any_of(storage::list_published(tx), [&](auto const& published) {
        auto const text = storage::read_version(tx, published.name, published.version);
        if (!text) return false;
        auto const read = flow::read_definition(*text);
        auto const* document = std::get_if<flow::definition>(&read);
        return document && std::ranges::any_of(document->nodes, watches);
    });
}

findings look_at_tool_models(storage::transaction& tx, config const& settings) {
    findings result;
    for (auto const& agent : toolless_agents(tx, settings))
        result.push_back(
            {"flow " + agent.flow,
             verdict::warn,
             fmt::format(
                 "its agent {} has {}, and its model {} ({}) takes no tools: it answers without "
                 "them. Choose another model, or set models.{}.tools = \"true\" if the model can "
                 "call tools",
                 agent.node,
                 agent.tools == 1 ? "a tool" : fmt::format("{} tools", agent.tools),
                 agent.entry,
                 agent.model,
                 agent.entry
             ),
             "postrider models list"}
        );
    return result;
}

} // namespace postrider::server
