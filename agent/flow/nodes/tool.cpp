// Tools as nodes: tool.NAME for each of the table of tools, with the tool's own settings. A model
// knows a tool by the node's parameter `name`; where it is not written, by the table's.
#include "agent/tools/tool.hpp"

#include "agent/flow/nodes/read_node_type.hpp"
#include "agent/flow/parts/tools.hpp"

#include <boost/json/parse.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

base::awaitable<base::result<tool_part>> make_tool_part(tool const& from, part_run& run) {
    auto settings = run.parameters;
    auto const name = std::string(settings.at("name").as_string());
    settings.erase("name");
    tool_part part;
    part.tools.push_back(offer(from, name, std::move(settings)));
    co_return part;
}

node_type type_of_tool(std::string_view text, tool const& from) {
    auto type = read_node_type(text, part_of(ai_tool, [&from](part_run& run) {
                                   return make_tool_part(from, run);
                               }));
    if (from.message) std::get<part>(type.behaviour).from_message = {"bot", "chat"};
    type.name = "tool." + std::string(from.name);
    type.title = from.title;
    set_documentation(type, from.documentation);
    auto& properties = type.parameters["properties"].get_object();
    properties["name"].get_object()["default"] = from.name;
    auto const own = json::parse(from.settings);
    for (auto const& [name, setting] : own.as_object()) properties[name] = setting;
    return type;
}

} // namespace

std::vector<node_type> tool_types(std::string_view text) {
    std::vector<node_type> types;
    for (auto const* from : tools()) types.push_back(type_of_tool(text, *from));
    return types;
}

} // namespace postrider::agent::flow
