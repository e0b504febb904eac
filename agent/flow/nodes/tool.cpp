#include "agent/tools/tool.hpp"

#include "agent/flow/nodes/describe.hpp"
#include "agent/flow/nodes/tools.hpp"
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

json::object tool_parameters(tool const& from) {
    auto schema = parameters(R"({
        "name": {
            "title": "Name",
            "description": "The tool's name for the model.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_-]{1,64}$",
            "x-expression": false
        }
    })");
    auto& properties = schema["properties"].get_object();
    properties["name"].get_object()["default"] = from.name;
    auto const own = json::parse(from.settings);
    for (auto const& [name, setting] : own.as_object()) properties[name] = setting;
    return schema;
}

} // namespace

std::vector<node_type> describe_tools() {
    std::vector<node_type> types;
    for (auto const* from : tools())
        types.push_back({
            .name = "tool." + std::string(from->name),
            .title = std::string(from->title),
            .documentation = std::string(from->documentation),
            .parameters = tool_parameters(*from),
            .behaviour =
                part_of(ai_tool, [from](part_run& run) { return make_tool_part(*from, run); }),
        });
    return types;
}

} // namespace postrider::agent::flow
