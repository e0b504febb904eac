#include "storage/stores/mcp_tools.hpp"

#include "base/json/json.hpp"
#include "base/json/row.hpp"
#include "storage/query.hpp"

namespace postrider::storage {

namespace {

constexpr statement read_pins{
    "mcp_pins",
    R"(
select t.i, m.tool, m.digest, coalesce(m.offered_digest, '')
from json_to_recordset($1::json) as t(i int, server text)
join postrider.mcp_tool m on m.server = t.server
)",
    10};

constexpr statement note_tools{
    "note_mcp_tools",
    R"(
insert into postrider.mcp_tool as m (server, tool, digest, definition)
select distinct on (server, tool) server, tool, digest, definition
from json_to_recordset($1::json) as t(i int, server text, tool text, digest text, definition json)
order by server, tool
on conflict (server, tool) do update
set offered_digest = nullif(excluded.digest, m.digest),
    offered = case when excluded.digest <> m.digest then excluded.definition end,
    offered_at = case when excluded.digest <> m.digest then postrider.now() end
where m.offered_digest is distinct from nullif(excluded.digest, m.digest)
)",
    64};

constexpr statement list_known{
    "mcp.known", "select server, tool from postrider.mcp_tool order by server, tool"};

constexpr statement page_of_tools{"mcp.tools", R"(
select server, tool, definition::text, postrider.iso(pinned_at),
       coalesce(offered_digest, ''), offered::text,
       postrider.iso(offered_at)
from postrider.mcp_tool
where ($1 = '' or server = $1) and (server, tool) > ($2, $3)
order by server, tool limit $4::bigint)"};

constexpr statement counts_by_server{
    "mcp.counts",
    "select server, count(*), count(offered) from postrider.mcp_tool group by server"};

constexpr statement list_waiting{
    "mcp.waiting",
    "select server, tool, offered_digest, definition::text, offered::text, "
    "postrider.iso(offered_at) "
    "from postrider.mcp_tool where offered is not null order by server, tool"};

constexpr statement accept{"mcp.accept", R"(
with was as (
    select server, tool, offered_digest, definition, offered, offered_at from postrider.mcp_tool
    where server = $1 and ($2 = '' or tool = $2) and offered is not null and starts_with(offered_digest, $3)
    order by server, tool for update
), done as (
    update postrider.mcp_tool m
    set digest = m.offered_digest, definition = m.offered, pinned_at = postrider.now(),
        offered_digest = null, offered = null, offered_at = null
    from was where m.server = was.server and m.tool = was.tool
)
select server, tool, offered_digest, definition::text, offered::text,
       postrider.iso(offered_at)
from was order by server, tool)"};

std::vector<waiting_mcp_tool> read_waiting(rows const& found) {
    std::vector<waiting_mcp_tool> tools;
    for (auto const& row : found) {
        waiting_mcp_tool tool;
        tool.server = row.text(0);
        tool.tool = row.text(1);
        tool.digest = row.text(2);
        tool.agreed = base::parse_json(row.text(3)).value();
        tool.offered = base::parse_json(row.text(4)).value();
        tool.offered_at = row.text(5);
        tools.push_back(std::move(tool));
    }
    return tools;
}

} // namespace

base::awaitable<base::result<std::map<std::string, mcp_pin, std::less<>>>> read_mcp_pins(
    batcher& reads, std::string server, base::duration deadline
) {
    write look{&read_pins, base::json_row{{"server", server}}.text()};
    auto const found = co_await query(reads, std::move(look), deadline);
    if (!found) co_return found.error();
    std::map<std::string, mcp_pin, std::less<>> pins;
    for (auto const& row : *found) pins.emplace(row.text(1), mcp_pin{row.text(2), row.text(3)});
    co_return pins;
}

write note_mcp_tool(
    std::string_view server,
    std::string_view tool,
    std::string_view digest,
    boost::json::value const& definition
) {
    base::json_row row{
        {"server", server}, {"tool", tool}, {"digest", digest}, {"definition", definition}};
    return {&note_tools, std::move(row).text()};
}

std::vector<mcp_tool_name> known_mcp_tools(transaction& tx) {
    std::vector<mcp_tool_name> all;
    for (auto const& row : tx.query(list_known)) all.push_back({row.text(0), row.text(1)});
    return all;
}

std::vector<pinned_mcp_tool> list_mcp_tools(
    transaction& tx, std::string const& server, mcp_tool_name const& after, int limit
) {
    std::vector<pinned_mcp_tool> tools;
    for (auto const& row : tx.query(page_of_tools, {server, after.server, after.tool, limit})) {
        pinned_mcp_tool tool;
        tool.server = row.text(0);
        tool.tool = row.text(1);
        tool.agreed = base::parse_json(row.text(2)).value();
        tool.pinned_at = row.text(3);
        tool.digest = row.text(4);
        if (!row.null(5)) tool.offered = base::parse_json(row.text(5)).value();
        tool.offered_at = row.optional_text(6).value_or("");
        tools.push_back(std::move(tool));
    }
    return tools;
}

std::map<std::string, mcp_tool_counts, std::less<>> count_mcp_tools(transaction& tx) {
    std::map<std::string, mcp_tool_counts, std::less<>> counts;
    for (auto const& row : tx.query(counts_by_server))
        counts.emplace(row.text(0), mcp_tool_counts{row.int64(1), row.int64(2)});
    return counts;
}

std::vector<waiting_mcp_tool> waiting_mcp_tools(transaction& tx) {
    return read_waiting(tx.query(list_waiting));
}

std::vector<waiting_mcp_tool> accept_mcp_tools(
    transaction& tx, std::string_view server, std::string_view tool, std::string_view digest
) {
    return read_waiting(tx.query(accept, {server, tool, digest}));
}

} // namespace postrider::storage
