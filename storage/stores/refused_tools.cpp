#include "storage/stores/refused_tools.hpp"

#include "base/json/row.hpp"

namespace postrider::storage {

namespace {

constexpr statement note_refusals{
    "note_refused_tools",
    R"(
insert into postrider.refused_tool (model, tool, reason)
select distinct on (model, tool) model, tool, reason
from json_to_recordset($1::json) as t(i int, model text, tool text, reason text)
order by model, tool, i desc
on conflict (model, tool) do update set reason = excluded.reason, refused_at = postrider.now()
)",
    65};

constexpr statement list_refusals{"refused_tools", R"(
select model, tool, reason, to_char(refused_at at time zone 'UTC', 'YYYY-MM-DD')
from postrider.refused_tool where refused_at > postrider.now() - interval '30 days' order by model, tool)"};

} // namespace

write note_refused_tool(std::string_view model, std::string_view tool, std::string_view reason) {
    base::json_row row{{"model", model}, {"tool", tool}, {"reason", reason}};
    return {&note_refusals, std::move(row).text()};
}

std::vector<refused_tool_row> refused_tools(transaction& tx) {
    std::vector<refused_tool_row> all;
    for (auto const& row : tx.query(list_refusals))
        all.push_back({row.text(0), row.text(1), row.text(2), row.text(3)});
    return all;
}

} // namespace postrider::storage
