#include "agent/flow/library/failing_flows.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace {

// A reference to a flow is the parameter `flow`, whatever the node's type.
constexpr storage::statement flows_that_name{"flows.that_name", R"sql(
select f.name
from postrider.flow f
join postrider.flow_version v on v.flow_id = f.flow_id and v.version = f.published_version
where f.archived_at is null and f.name <> $1
  and (v.document -> 'settings' ->> 'error_flow' = $1
       or exists (select from json_array_elements(
                      case json_typeof(v.document -> 'nodes') when 'array' then v.document -> 'nodes' else '[]' end) n (node)
                  where n.node -> 'parameters' ->> 'flow' = $1))
order by f.name)sql"};

} // namespace

std::vector<failing_flow> failing_flows(storage::transaction& tx, validator const& validator) {
    auto const context = with_flows(tx, validator).context;
    std::vector<failing_flow> failing;
    for (auto const& row : storage::list_published(tx)) {
        auto const text = storage::read_version(tx, row.name, row.version);
        if (!text) continue;
        auto problems = examine(*text, *validator.types, context).problems;
        std::erase_if(problems, [](auto const& listed) {
            return listed.severity != severity::error;
        });
        if (!problems.empty()) failing.push_back({row.name, std::move(problems)});
    }
    return failing;
}

std::vector<std::string> flows_that_need(storage::transaction& tx, std::string_view flow) {
    std::vector<std::string> names;
    for (auto const& row : tx.query(flows_that_name, {flow})) names.push_back(row.text(0));
    return names;
}

} // namespace postrider::agent::flow
