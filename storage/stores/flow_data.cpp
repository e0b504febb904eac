#include "storage/stores/flow_data.hpp"

#include "base/json/row.hpp"
#include "base/json/text.hpp"
#include "storage/query.hpp"

#include <boost/json/array.hpp>

namespace postrider::storage {

namespace {

// In the order of the keys, so that two nodes never wait for each other in a circle.
constexpr statement upsert_flow_data{
    "put_flow_data",
    R"(
insert into postrider.flow_data as d (flow, name, key, value, bytes, user_id, changed_at, expires_at)
select distinct on (t.flow, t.name, t.key) t.flow, t.name, t.key, coalesce(t.value, 'null'), t.bytes, t.user_id, postrider.now(),
       postrider.now() + t.keep_ms * interval '1 ms'
from (select x.*, row_number() over () as place
      from json_to_recordset($1::json) as x(i int, flow text, name text, key text, value jsonb, bytes int,
                                            user_id bigint, keep_ms bigint)) t
order by t.flow, t.name, t.key, t.place desc
on conflict (flow, name, key) do update
set value = excluded.value, bytes = excluded.bytes, user_id = excluded.user_id,
    changed_at = excluded.changed_at, expires_at = excluded.expires_at
)",
    72};

constexpr statement remove_flow_data{
    "delete_flow_data",
    R"(
with gone as materialized (
    select d.flow, d.name, d.key
    from (select distinct flow, name, key
          from json_to_recordset($1::json) as x(i int, flow text, name text, key text)) t
    join postrider.flow_data d on d.flow = t.flow and d.name = t.name and d.key = t.key
    order by d.flow, d.name, d.key for update of d
)
delete from postrider.flow_data d using gone
where d.flow = gone.flow and d.name = gone.name and d.key = gone.key
)",
    73};

// The keys differ.
constexpr statement flow_data_sums{
    "measure_flow_data",
    R"(
select t.i, s.rows - r.rows, s.bytes - r.bytes
from json_to_recordset($1::json) as t(i int, flow text, keys json)
cross join lateral (select count(*) as rows, coalesce(sum(d.bytes), 0)::bigint as bytes
                    from postrider.flow_data d where d.flow = t.flow) s
cross join lateral (select count(*) as rows, coalesce(sum(d.bytes), 0)::bigint as bytes
                    from json_to_recordset(t.keys) as k(name text, key text)
                    cross join lateral (select f.bytes from postrider.flow_data f
                                        where f.flow = t.flow and f.name = k.name and f.key = k.key limit 1) d) r
)",
    20};

// No value where all of them are too much together: `bytes` tells.
constexpr statement select_flow_data{
    "read_flow_data",
    R"(
select t.i, r.place, r.bytes, case when r.bytes <= t.most_bytes then r.value end
from json_to_recordset($1::json) as t(i int, flow text, most_bytes bigint, keys json)
cross join lateral (
    select k.place, d.value, sum(d.bytes) over () as bytes
    from json_to_recordset(t.keys) as k(place int, name text, key text)
    cross join lateral (select f.value, f.bytes from postrider.flow_data f
                        where f.flow = t.flow and f.name = k.name and f.key = k.key
                          and (f.expires_at is null or f.expires_at > postrider.now()) limit 1) d) r
order by t.i, r.place
)",
    20};

constexpr statement page_of_flow_data{
    "list_flow_data",
    R"(
select t.i, p.key, p.value, postrider.iso(p.changed_at)
from json_to_recordset($1::json) as t(i int, flow text, name text, after text, match jsonb, most int, most_bytes bigint)
cross join lateral (
    select r.*, sum(r.bytes) over (order by r.key) as total, row_number() over (order by r.key) as place
    from (select d.key, d.value, d.bytes, d.changed_at from postrider.flow_data d
          where d.flow = t.flow and d.name = t.name and d.key > t.after
            and (d.expires_at is null or d.expires_at > postrider.now())
            and not exists (select from jsonb_each(t.match) m where d.value -> m.key is distinct from m.value)
          order by d.key limit t.most) r) p
where p.total <= t.most_bytes or p.place = 1
order by t.i, p.key
)",
    20};

base::json_row row_of(flow_table const& table) {
    return {{"flow", table.flow}, {"name", table.name}};
}

boost::json::object to_json(flow_key const& key) {
    return {{"name", key.table}, {"key", key.key}};
}

} // namespace

write put_flow_data(
    flow_table const& table,
    flow_data_row const& row,
    user_id user,
    std::optional<std::chrono::milliseconds> keep
) {
    auto written = row_of(table);
    written.add({"key", row.key});
    written.add({"value", row.value});
    written.add({"bytes", flow_data_bytes(row)});
    if (base::raw(user) != 0) written.add({"user_id", base::raw(user)});
    if (keep) written.add({"keep_ms", std::int64_t{keep->count()}});
    return {&upsert_flow_data, std::move(written).text()};
}

write delete_flow_data(flow_table const& table, std::string_view key) {
    auto written = row_of(table);
    written.add({"key", key});
    return {&remove_flow_data, std::move(written).text()};
}

std::int64_t flow_data_bytes(flow_data_row const& row) {
    return static_cast<std::int64_t>(row.key.size() + base::json_text(row.value).size());
}

base::awaitable<base::result<flow_data_size>> measure_flow_data(
    batcher& reads,
    std::string_view flow,
    std::set<flow_key> const& replaced,
    base::duration deadline
) {
    boost::json::array keys;
    for (auto const& key : replaced) keys.push_back(to_json(key));
    boost::json::value const list(std::move(keys));
    base::json_row row{{"flow", flow}};
    row.add({"keys", list});
    write look{&flow_data_sums, std::move(row).text()};
    auto const answer = co_await query(reads, std::move(look), deadline);
    if (!answer) co_return answer.error();
    co_return flow_data_size{.rows = answer->front().int64(1), .bytes = answer->front().int64(2)};
}

base::awaitable<base::result<flow_values>> read_flow_data(
    batcher& reads,
    std::string_view flow,
    std::vector<flow_key> const& keys,
    std::int64_t most_bytes,
    base::duration deadline
) {
    boost::json::array places;
    for (auto const& key : keys) {
        auto place = to_json(key);
        place["place"] = places.size();
        places.push_back(std::move(place));
    }
    boost::json::value const list(std::move(places));
    base::json_row row{{"flow", flow}, {"most_bytes", most_bytes}};
    row.add({"keys", list});
    write look{&select_flow_data, std::move(row).text()};
    auto const answer = co_await query(reads, std::move(look), deadline);
    if (!answer) co_return answer.error();
    flow_values values(keys.size());
    for (auto const& entry : *answer) {
        if (entry.int64(2) > most_bytes)
            co_return base::error(base::errc::too_large, "the values are too large together");
        values.at(static_cast<std::size_t>(entry.int64(1))) = entry.json(3);
    }
    co_return values;
}

base::awaitable<base::result<std::vector<flow_data_row>>> list_flow_data(
    batcher& reads,
    flow_table const& table,
    boost::json::object const& where,
    std::string_view after,
    std::int64_t limit,
    std::int64_t bytes,
    base::duration deadline
) {
    auto row = row_of(table);
    row.add({"after", after});
    row.add({"match", boost::json::value(where)});
    row.add({"most", limit});
    row.add({"most_bytes", bytes});
    write look{&page_of_flow_data, std::move(row).text()};
    auto const answer = co_await query(reads, std::move(look), deadline);
    if (!answer) co_return answer.error();
    std::vector<flow_data_row> page;
    for (auto const& entry : *answer)
        page.push_back({.key = entry.text(1), .value = entry.json(2), .changed_at = entry.text(3)});
    co_return page;
}

} // namespace postrider::storage
