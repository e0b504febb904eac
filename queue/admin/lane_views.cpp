#include "queue/admin/lane_views.hpp"

#include "base/json/nul.hpp"
#include "queue/store/sql.hpp"

namespace postrider::queue {

namespace {

using storage::statement;

#define POSTRIDER_INSTANT(column)                                                                  \
    "to_char(" column " at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"

// $1 status, $2 key, $3 part of the key, $4 behind this key, $5 how many; null does not restrict.
constexpr statement lanes{
    "lanes",
    "select s.lane_id, s.lane_key, s.mailbox, s.status, " POSTRIDER_INSTANT(
        "nullif(s.ready_at, 'infinity')"
    ) ", s.wait_reason, " POSTRIDER_INSTANT("s.paused_at"
    ) R"sql(, s.paused_by, s.node_id, s.live_jobs, s.lane_name
from postrider.lane_status s
where ($1::text is null and (s.status <> 'idle' or $2::text is not null or $3::text is not null) or s.status = $1)
  and ($2::text is null or s.lane_key = $2)
  and ($3::text is null or position($3 in s.lane_key) > 0)
  and ($4::text is null or s.lane_key > $4)
order by s.lane_key
limit $5::bigint)sql"};

// The lanes with work and those that are paused by themselves, without a look at all the idle ones. $1
// status, $2 behind this key, $3 how many, $4 part of the key; null does not restrict.
constexpr statement busy_lanes{
    "busy_lanes",
    R"sql(with a as materialized (
    select r.lane_id from postrider.lane_run r where r.node_id is not null
    union select r.lane_id from postrider.lane_run r
          where r.node_id is null and r.ready_at is not null and $1::text is distinct from 'running'
    union select l.lane_id from postrider.lane l where l.paused_at is not null and $1::text is distinct from 'running'
), p as materialized (
    select s.lane_id from a
    cross join lateral (select s.lane_id, s.lane_key, s.status from postrider.lane_status s where s.lane_id = a.lane_id offset 0) s
    where ($1::text is null or s.status = $1)
      and ($2::text is null or s.lane_key > $2)
      and ($4::text is null or position($4 in s.lane_key) > 0)
    order by s.lane_key
    limit $3::bigint
)
select s.lane_id, s.lane_key, s.mailbox, s.status, )sql" POSTRIDER_INSTANT(
        "nullif(s.ready_at, 'infinity')"
    ) ", s.wait_reason, " POSTRIDER_INSTANT("s.paused_at"
    ) R"sql(, s.paused_by, s.node_id, s.live_jobs, s.lane_name
from p cross join lateral (select * from postrider.lane_status s where s.lane_id = p.lane_id offset 0) s
order by s.lane_key)sql"};

constexpr statement pauses{
    "pauses",
    "select p.scope, " POSTRIDER_INSTANT("p.paused_at") " from postrider.pause p order by p.scope"};

#undef POSTRIDER_INSTANT

storage::param filter_param(std::string_view text) {
    return text.empty() ? storage::param(std::nullopt)
                        : storage::param(base::storable(std::string(text)));
}

std::string text_at(storage::row const& r, std::size_t column) {
    return r.optional_text(column).value_or("");
}

lane_summary lane_of(storage::row const& r) {
    lane_summary lane;
    lane.id = r.int64(0);
    lane.key = r.text(1);
    lane.mailbox = r.text(2);
    lane.status = r.text(3);
    lane.ready_at = text_at(r, 4);
    lane.wait_reason = text_at(r, 5);
    lane.paused_at = text_at(r, 6);
    lane.paused_by = text_at(r, 7);
    lane.node = r.optional_int64(8);
    lane.live_jobs = r.int64(9);
    lane.name = r.text(10);
    return lane;
}

// Whether all lanes that are asked for have work or are paused by themselves. Idle ones are paused,
// too, while their bot or everything is.
bool are_busy(storage::transaction& tx, lane_filter const& filter) {
    if (!filter.key.empty() || filter.status == "idle") return false;
    if (filter.status.empty() && !filter.text.empty()) return false;
    bool const may_be_paused = filter.status.empty() || filter.status == "paused";
    return !may_be_paused || tx.query(pauses).empty();
}

} // namespace

std::vector<lane_summary> list_lanes(
    storage::transaction& tx, lane_filter const& filter, std::string_view after, int limit
) {
    auto const status = filter_param(filter.status);
    auto const text = filter_param(filter.text);
    auto const lane_rows =
        are_busy(tx, filter)
            ? tx.query(busy_lanes, {status, filter_param(after), limit, text})
            : tx.query(lanes, {status, filter_param(filter.key), text, filter_param(after), limit});
    std::vector<lane_summary> all;
    for (auto const& r : lane_rows) all.push_back(lane_of(r));
    return all;
}

std::vector<pause_summary> list_pauses(storage::transaction& tx) {
    std::vector<pause_summary> all;
    for (auto const& r : tx.query(pauses)) all.push_back({r.text(0), r.text(1)});
    return all;
}

} // namespace postrider::queue
