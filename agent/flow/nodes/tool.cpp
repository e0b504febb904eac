// Tools as nodes: tool.NAME for each of the table of tools, with the tool's own settings. A model
// knows a tool by the node's parameter `name`; where it is not written, by the table's.
#include "agent/tools/tool.hpp"

#include "agent/flow/nodes/read_node_type.hpp"
#include "agent/flow/parts/tools.hpp"

#include <boost/json/parse.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

base::awaitable<base::result<tool_part>> make_tool_part(tool const& tool, part_run& run) {
    auto settings = run.parameters;
    auto const name = std::string(settings.at("name").as_string());
    settings.erase("name");
    tool_part part;
    part.tools.push_back(offer(tool, name, std::move(settings)));
    co_return part;
}

node_type type_of_tool(std::string_view text, tool const& tool) {
    auto type = read_node_type(text, part_of(ai_tool, [&tool](part_run& run) {
                                   return make_tool_part(tool, run);
                               }));
    auto& behaviour = std::get<part>(type.behaviour);
    if (tool.message) behaviour.from_message = {"bot", "chat"};
    bool const may_be_high = !tool.message && tool.risk.always().value_or(risk::high) == risk::high;
    if (may_be_high) behaviour.needs_approval = [](json::object const&) { return true; };
    type.name = "tool." + std::string(tool.name);
    type.title = tool.title;
    set_documentation(type, tool.documentation);
    auto& properties = type.parameters["properties"].get_object();
    properties["name"].get_object()["default"] = tool.name;
    auto const tool_settings = json::parse(tool.settings);
    for (auto const& [name, setting] : tool_settings.as_object()) properties[name] = setting;
    return type;
}

} // namespace

std::vector<node_type> tool_types(std::string_view text) {
    std::vector<node_type> types;
    for (auto const* tool : tools()) types.push_back(type_of_tool(text, *tool));
    return types;
}

} // namespace postrider::agent::flow
