#include "server/start/tool_names.hpp"

#include "agent/tools/tool.hpp"

#include <algorithm>

namespace postrider::server {

namespace {

// The other tools' settings go by the tool, whatever its node calls it.
constexpr storage::statement names_of_tools{"names_of_tools", R"(
select distinct n.node -> 'parameters' ->> 'name'
from postrider.flow f
join postrider.flow_version v on v.flow_id = f.flow_id and v.version = f.published_version
cross join lateral json_array_elements(
    case json_typeof(v.document -> 'nodes') when 'array' then v.document -> 'nodes' else '[]' end) n (node)
where f.archived_at is null and n.node ->> 'type' = 'tool.flow' and n.node -> 'parameters' ->> 'name' is not null
)"};

// Its tools' names begin with the server's; which there are only the server itself can tell.
bool is_of_a_server(config const& settings, std::string_view name) {
    return std::ranges::any_of(settings.mcp_servers, [&](auto const& server) {
        return name.starts_with(server.first + "_");
    });
}

} // namespace

std::vector<std::string> tools_of_flows(storage::transaction& tx) {
    std::vector<std::string> names;
    for (auto const& row : tx.query(names_of_tools, {})) names.push_back(row.text(0));
    return names;
}

std::vector<unknown_tool> unknown_tools(
    config const& configured, std::vector<std::string> of_flows
) {
    auto known_names = std::move(of_flows);
    for (auto const* tool : agent::tools()) known_names.emplace_back(tool->name);
    std::vector<unknown_tool> result;
    for (auto const& [name, settings] : configured.tools) {
        bool const exists = std::ranges::find(known_names, name) != known_names.end();
        if (!exists && !is_of_a_server(configured, name))
            result.push_back({name, base::nearest(name, known_names)});
    }
    return result;
}

} // namespace postrider::server
