#include "storage/stores/tool_catalogs.hpp"

#include "base/json/json.hpp"
#include "base/json/row.hpp"
#include "storage/query.hpp"

namespace postrider::storage {

namespace {

// Once an hour it is written again; in between no turn locks the row.
constexpr statement keep_catalogs{
    "keep_tool_catalog",
    R"(
insert into postrider.tool_catalog (digest, tools)
select distinct on (digest) digest, tools
from json_to_recordset($1::json) as t(i int, digest text, tools json)
where not exists (select from postrider.tool_catalog c
                  where c.digest = t.digest and c.used_at > postrider.now() - interval '1 hour')
order by digest
on conflict (digest) do update set used_at = excluded.used_at
)",
    67};

// The digest alone: a list may be long, and an ordinary turn is offered what the last one was.
constexpr statement look_for_catalog{
    "tool_catalog_is_kept",
    R"(
select t.i
from json_to_recordset($1::json) as t(i int, digest text)
join postrider.tool_catalog c on c.digest = t.digest
where c.used_at > postrider.now() - interval '1 hour'
)",
    10};

constexpr statement read_catalog{
    "tool_catalog",
    R"(
select t.i, c.tools::text
from json_to_recordset($1::json) as t(i int, digest text)
join postrider.tool_catalog c on c.digest = t.digest
)",
    10};

} // namespace

write keep_tool_catalog(std::string_view digest, boost::json::value const& tools) {
    base::json_row row{{"digest", digest}, {"tools", tools}};
    return {&keep_catalogs, std::move(row).text()};
}

base::awaitable<base::result<bool>> keeps_tool_catalog(
    batcher& reads, std::string digest, base::duration deadline
) {
    write look{&look_for_catalog, base::json_row{{"digest", digest}}.text()};
    auto const kept = co_await query(reads, std::move(look), deadline);
    if (!kept) co_return kept.error();
    co_return !kept->empty();
}

base::awaitable<base::result<std::optional<boost::json::value>>> read_tool_catalog(
    batcher& reads, std::string digest, base::duration deadline
) {
    write look{&read_catalog, base::json_row{{"digest", digest}}.text()};
    auto const found = co_await query(reads, std::move(look), deadline);
    if (!found) co_return found.error();
    std::optional<boost::json::value> tools;
    if (!found->empty()) tools = base::parse_json(found->front().text(1)).value();
    co_return tools;
}

} // namespace postrider::storage
