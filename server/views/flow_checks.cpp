// The published flows.
#include "agent/flow/library/failing_flows.hpp"
#include "server/views/database_checks.hpp"
#include "server/views/toolless_agents.hpp"

#include <fmt/format.h>

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
