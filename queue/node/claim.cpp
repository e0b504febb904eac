#include "queue/node/claim.hpp"

#include "queue/store/sql.hpp"
#include "storage/query.hpp"

namespace postrider::queue {

namespace {

// Every priority is an index range of its own, so what waits for its time is never looked at; a
// step of priority counts like twenty seconds of waiting, so nothing waits for ever. "for update
// skip locked" is an optimisation on lanes: the epoch is what makes the lease. A lane whose job
// another session has locked is passed over; `margin` makes up for those of the last claim. A lane
// found free with a running job (a node's commit was lost halfway) is taken like any other. Of the
// suspects at most one is taken; one that has died alone before, only by a node that has lived for
// a while. The last row has no lane; it tells when the next lane will be ready.
constexpr storage::statement claim{
    "claim",
    R"(
with t as materialized (
    select t.*, n.started_at from jsonb_to_recordset($1::jsonb) as t(i int, node_id bigint, slots int, margin int, suspects int,
                                                                           calm_ms bigint)
    join postrider.node n on n.node_id = t.node_id
), s as materialized (
    select r.lane_id, r.head, 0::bigint as place from postrider.lane_run r
    where r.suspect > 0 and coalesce(r.node_id, 0) = 0 and r.ready_at <= postrider.now()
      and (select started_at from t) + (select calm_ms from t) * interval '1 ms' * coalesce(
          (select case j.lost when 0 then 0 when 1 then 1 else 6 end
           from postrider.first_live_job(r.lane_id, r.head) f join postrider.job j on j.job_id = f.job_id), 0) <= postrider.now()
    order by r.ready_at limit coalesce((select suspects from t), 0) for update skip locked
), c as materialized (
    select x.lane_id, x.head, row_number() over (order by x.rank) as place from (values (0), (1), (2), (3)) p(priority)
    cross join lateral (
        select r.lane_id, r.head, r.ready_at + p.priority * interval '20 s' as rank from postrider.lane_run r
        where r.node_id is null and r.priority = p.priority and r.ready_at <= postrider.now() and r.suspect = 0
        order by r.ready_at limit coalesce((select slots + margin from t), 0) for update skip locked) x
    order by x.rank limit coalesce((select slots + margin from t), 0)
), x as materialized (
    select c.lane_id, c.place, j.job_id from (select * from s union all select * from c) c
    left join lateral postrider.first_live_job(c.lane_id, c.head) j on true
), k as materialized (
    select job_id from postrider.job where job_id = any(array(select job_id from x)) for update skip locked
), r as (
    update postrider.lane_run r
    set node_id = (select node_id from t), epoch = nextval('postrider.number'), wait_reason = null, wants_mail = false,
        quiet_until = null
    where r.lane_id = any(array(select lane_id from x where job_id is null or job_id in (select job_id from k)
                                order by place limit (select slots from t)))
      and r.node_id is null
    returning r.lane_id, r.epoch, r.edits, r.mailbox, r.arrivals, r.asked, r.head, r.suspect
), g as (
    update postrider.job j
    set state = 'running', run_no = j.run_no + 1, started_at = coalesce(j.started_at, postrider.now()),
        due_at = null, wait_reason = null
    where j.job_id = any(array(select job_id from x where lane_id in (select lane_id from r)))
    returning )" POSTRIDER_JOB_COLUMNS R"(
), soon as (
    select (extract(epoch from min(s.ready_at) - postrider.now()) * 1000)::bigint as ms
    from (values (0), (1), (2), (3)) p(priority)
    cross join lateral (
        select r.ready_at from postrider.lane_run r
        where r.node_id is null and r.priority = p.priority and r.ready_at > postrider.now() and r.ready_at < 'infinity'
        order by r.ready_at limit 1) s
)
select t.i, soon.ms, (select count(*) from x where job_id not in (select job_id from k)), r.lane_id, r.epoch, r.edits, r.mailbox, r.arrivals, r.asked, r.head, r.suspect, g.*
from t, soon, (select * from r union all select null, null, null, null, null, null, null, null) r
left join x on x.lane_id = r.lane_id
left join g on g.job_id = x.job_id
)",
    0};

claimed_lane read_lane(storage::row const& row) {
    claimed_lane lane;
    lane.lease.lane = row.id<lane_id>(3);
    lane.lease.epoch = row.id<lane_epoch>(4);
    lane.lease.edits = row.int64(5);
    lane.lease.mailbox = mailbox_from_string(row.text(6)).value_or(mailbox::queue);
    lane.lease.arrivals = row.int64(7);
    if (auto asked = row.optional_text(8)) lane.asked = control_request_from_string(*asked);
    lane.head = row.id<job_id>(9);
    lane.suspect = static_cast<int>(row.int64(10));
    if (!row.null(11)) lane.job = read_job(row, 11);
    return lane;
}

} // namespace

base::awaitable<base::result<claim_result>> claim_lanes(
    storage::batcher& quick, claim_request request, base::duration deadline
) {
    boost::json::object row{
        {"node_id", base::raw(request.node)},
        {"slots", request.slots},
        {"margin", request.margin},
        {"suspects", request.with_suspect ? 1 : 0},
        {"calm_ms", request.calm.count()}};
    auto rows = co_await query_apart(quick, claim, std::move(row), deadline);
    if (!rows) co_return rows.error();
    claim_result result;
    for (auto const& lane : *rows) {
        if (auto soon = lane.optional_int64(1)) result.next_in = std::chrono::milliseconds{*soon};
        result.passed_over = static_cast<int>(lane.int64(2));
        if (!lane.null(3)) result.lanes.push_back(read_lane(lane));
    }
    co_return result;
}

} // namespace postrider::queue
