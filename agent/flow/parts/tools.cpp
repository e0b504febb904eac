#include "agent/flow/parts/tools.hpp"

#include "agent/flow/parts/mcp_tool.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/talk/degradation.hpp"
#include "base/log.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace {

using shared_tools = std::shared_ptr<offered_tools const>;

// Looking at what happened logs nothing.
void report_taken_name(
    queue::workflow const& steps, std::string_view server, std::string const& tool
) {
    if (steps.is_read_only()) return;
    base::log::warn(
        "mcp.tool_dropped",
        {{"server", server}, {"tool", tool}, {"reason", "another tool has its name"}}
    );
}

} // namespace

base::awaitable<base::result<shared_tools>> connected_tools(node_run& run, std::size_t item) {
    auto const parts = run.parts(item);
    auto const connected = parts->connected(ai_tool);
    // An earlier run of the job may have been told of tools that are there for no other job.
    bool const shared = std::ranges::none_of(connected, [&](connected_part const& part) {
        return run.steps().recorded(part.step);
    });
    auto& lasting = parts->lasting(ai_tool);
    if (shared && lasting.has_value()) co_return std::any_cast<shared_tools>(lasting);
    auto offered = std::make_shared<offered_tools>();
    bool fixed = true; // the same for every execution
    for (auto const& part : connected) {
        auto from = co_await parts->make(ai_tool, part);
        if (!from) co_return from.error();
        if (!from->whole) run.degrade(degradation_of(degraded_by::tools_missing));
        fixed = fixed && part.is_constant && from->lasting;
        for (auto& tool : from->tools) {
            auto const server = mcp_server_of(tool);
            if (!server.empty() && offered->find(tool.spec.name)) {
                report_taken_name(run.steps(), server, tool.spec.name);
                run.degrade(degradation_of(degraded_by::tools_missing));
                continue;
            }
            fixed = fixed && !std::holds_alternative<flow_call>(tool.work);
            tool.node = part.node;
            if (!configure(tool, run.services().tools)) continue;
            auto added = offered->add(std::move(tool));
            if (!added) co_return added.error();
        }
    }
    shared_tools all(std::move(offered));
    if (fixed) lasting = all;
    co_return all;
}

} // namespace postrider::agent::flow
