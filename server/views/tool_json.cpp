#include "server/views/tool_json.hpp"

#include "agent/flow/parts/mcp_tool.hpp"
#include "server/views/json_values.hpp"

#include <boost/json/array.hpp>

namespace postrider::server {

namespace json = boost::json;
namespace mcp = agent::mcp;

namespace {

json::value risk_json(std::optional<agent::risk> risk) {
    if (!risk) return nullptr;
    auto const word = to_string(*risk);
    return json::value(json::string_view(word.data(), word.size()));
}

json::array refusals_json(std::string_view tool, tool_refusals const& refused) {
    json::array by_models;
    for (auto const& row : refused)
        if (row.tool == tool)
            by_models.push_back(json::object{
                {"model", row.model}, {"reason", row.reason}, {"refused_at", row.refused_at}});
    return by_models;
}

// What all tools have, whatever offers them. `state` is that of one that works as it is set up.
json::object offered_json(
    agent::flow::offered_tool offered,
    std::string_view state,
    tool_configurations const& configured,
    tool_refusals const& refused
) {
    bool const works = configure(offered, configured);
    return {
        {"name", offered.spec.name},
        {"description", offered.spec.description},
        {"risk", risk_json(offered.risk.always())},
        {"own_risk", risk_json(offered.own_risk.always())},
        {"configured_risk", risk_json(offered.configuration.risk)},
        {"state", works ? state : "not_set_up"},
        {"refused_by", refusals_json(offered.spec.name, refused)}};
}

// A definition that cannot be read any more is offered to no model.
mcp::tool_definition definition_of(storage::pinned_mcp_tool const& tool) {
    auto const page = mcp::read_tool_page(json::object{{"tools", json::array{tool.agreed}}});
    if (page && !page->tools.empty()) return page->tools.front();
    mcp::tool_definition unreadable;
    unreadable.name = tool.tool;
    return unreadable;
}

} // namespace

json::object tool_json(
    agent::tool const& tool, tool_configurations const& configured, tool_refusals const& refused
) {
    auto shown = offered_json(agent::flow::offer(tool), "offered", configured, refused);
    shown["title"] = json::string_view(tool.title.data(), tool.title.size());
    shown["source"] = "own";
    shown["server"] = nullptr;
    shown["tool"] = json::string_view(tool.name.data(), tool.name.size());
    shown["agreed_at"] = nullptr;
    shown["change"] = nullptr;
    return shown;
}

json::object tool_json(
    storage::pinned_mcp_tool const& tool,
    tool_configurations const& configured,
    tool_refusals const& refused
) {
    auto const definition = definition_of(tool);
    bool const is_changed = !tool.digest.empty();
    auto shown = offered_json(
        agent::flow::offer_mcp_tool(nullptr, tool.server, definition),
        is_changed ? "changed" : "offered",
        configured,
        refused
    );
    shown["title"] = definition.title;
    shown["source"] = "mcp";
    shown["server"] = tool.server;
    shown["tool"] = tool.tool;
    shown["agreed_at"] = tool.pinned_at;
    shown["change"] = nullptr;
    if (is_changed)
        shown["change"] = json::object{
            {"digest", tool.digest},
            {"agreed", tool.agreed},
            {"offered", tool.offered},
            {"offered_at", tool.offered_at}};
    return shown;
}

json::object mcp_server_json(
    mcp::server_options const& options,
    mcp::server_state const& state,
    storage::mcp_tool_counts const& counts
) {
    json::object shown{
        {"name", state.name},
        {"transport", options.command ? "program" : "http"},
        {"program", options.command ? json::value(options.command->program) : json::value()},
        {"address", options.command ? json::value() : text_or_null(options.address.origin)},
        {"state",
         state.failure  ? "failing"
         : state.agreed ? "connected"
                        : "not_connected"},
        {"failure", nullptr},
        {"failing_since", nullptr},
        {"revision", nullptr},
        {"server_name", nullptr},
        {"server_version", nullptr},
        {"known_tools", counts.known},
        {"changed_tools", counts.waiting}};
    if (state.failure) {
        auto const code = to_string(state.failure->code);
        shown["failure"] = json::string_view(code.data(), code.size());
        shown["failing_since"] = base::to_iso8601(*state.failing_since);
    }
    if (state.agreed) {
        shown["revision"] = state.agreed->revision;
        shown["server_name"] = text_or_null(state.agreed->server_name);
        shown["server_version"] = text_or_null(state.agreed->server_version);
    }
    return shown;
}

} // namespace postrider::server
