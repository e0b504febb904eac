#include "storage/stores/lanes.hpp"

#include "base/json/row.hpp"

namespace postrider::storage {

namespace {

// A lane that is as it should be is not written. do update, not do nothing: a key that another node
// inserts at the same moment must come back too. "offset 0" keeps the look-up by index, also in a
// plan that was made while the table was empty.
constexpr statement ensure_lanes{
    "ensure_lanes",
    R"(
with r as materialized (
    select t.*, l.lane_id,
           case when l.lane_id is null and t.must_exist then postrider.lane_refuses()
                else l.mailbox = t.takes and l.debounce_ms = t.quiet or l.lane_id is not null and t.as_is end as same
    from json_to_recordset($1::json) as t(i int, bot_id bigint, chat_id bigint, key text, takes text, quiet int,
                                            as_is boolean, must_exist boolean)
    left join lateral (select l.lane_id, l.mailbox, l.debounce_ms from postrider.lane l
                       where l.lane_key = t.key offset 0) l on true
), written as (
    insert into postrider.lane (bot_id, chat_id, lane_key, mailbox, debounce_ms)
    select distinct on (key) bot_id, chat_id, key, takes, quiet from r where same is not true order by key
    on conflict (lane_key) do update set mailbox = excluded.mailbox, debounce_ms = excluded.debounce_ms
    returning lane_id, lane_key
)
select r.i, coalesce(r.lane_id, written.lane_id) from r left join written on written.lane_key = r.key
)",
    20};

base::json_row lane_json(lane_row const& lane) {
    base::json_row row{
        {"key", lane.key},
        {"takes", lane.manner.mailbox},
        {"quiet", lane.manner.debounce.count()},
    };
    if (lane.bot) row.add({"bot_id", base::raw(*lane.bot)});
    if (lane.chat) row.add({"chat_id", base::raw(*lane.chat)});
    if (lane.exists) row.add({"must_exist", true});
    return row;
}

lane_id run_alone(transaction& tx, write lane) {
    lane.row.insert(1, "\"i\":0,");
    return read_lane(tx.query(ensure_lanes, {"[" + lane.row + "]"}).front());
}

} // namespace

write ensure_lane(lane_row const& lane) {
    return {&ensure_lanes, lane_json(lane).text()};
}

write find_or_add_lane(lane_row const& lane) {
    auto row = lane_json(lane);
    row.add({"as_is", true});
    return {&ensure_lanes, std::move(row).text()};
}

lane_id read_lane(row const& returned) {
    return returned.id<lane_id>(1);
}

lane_id ensure_lane(transaction& tx, std::string_view key, lane_manner const& manner) {
    return run_alone(tx, ensure_lane({.key = std::string(key), .manner = manner}));
}

lane_id find_or_add_lane(transaction& tx, std::string_view key, lane_manner const& manner) {
    return run_alone(tx, find_or_add_lane({.key = std::string(key), .manner = manner}));
}

} // namespace postrider::storage
