#pragma once
// The statements by which a worker's commit leaves its lane: idle, free for any node, or with its next
// job. They come last in the transaction and are built as those before them (checkpoint_sql.hpp says how).
#include "queue/store/live_jobs_sql.hpp"
#include "queue/store/pause_sql.hpp"
#include "queue/store/sql.hpp"
#include "storage/database.hpp"

namespace postrider::queue::sql {

// The lane's last arrival is over: it is idle. The row is locked by the fence, so none can come in
// between.
inline constexpr storage::statement end_lanes{
    "end_lanes",
    R"(
with w as materialized (
    select * from json_to_recordset($1::json) as t(i int, lane_id bigint, epoch bigint)
)
update postrider.lane_run r
set )" POSTRIDER_IDLE_LANE R"(
from w
where r.epoch = any(array(select epoch from w)) and r.node_id is not null and r.lane_id + 0 = w.lane_id
)",
    93};

// The lane is free for any node: after `delay` milliseconds, and then for others before the one that
// could not run its job, or as soon as it is ready by itself (a coalescing lane waits for quiet).
inline constexpr storage::statement free_lanes{
    "free_lanes",
    R"(
with w as materialized (
    select * from json_to_recordset($1::json)
        as t(i int, lane_id bigint, epoch bigint, head bigint, delay bigint, reason text)
)
update postrider.lane_run r
set node_id = null, asked = null, suspect = 0, head = w.head,
    ready_at = case when )" POSTRIDER_LANE_HOLDS R"( then 'infinity'
                    else greatest(r.ready_at, postrider.now() + coalesce(w.delay, 0) * interval '1 ms') end,
    left_by = case when w.delay > 0 then r.node_id end,
    wait_reason = case when )" POSTRIDER_LANE_HOLDS R"( then 'paused' else w.reason end
from w
where r.epoch = any(array(select epoch from w)) and r.node_id is not null and r.lane_id + 0 = w.lane_id
)",
    94};

// The newest message's job takes the place of this one and of all that nobody has begun between. No
// further than to a fork, a job that was begun before or one of which something is asked: those are not
// for another job to answer, and left behind they would be live below the lane's head. Nor does it
// where something is asked of this one: that is done first. A job that was put back meanwhile stays
// the head. The lane's one running job is ours, also when this is sent again after its answer was lost.
inline constexpr storage::statement coalesce_mail{
    "coalesce_mail",
    R"(
with w as materialized (
    select w.*, x.job_id as newest
    from json_to_recordset($1::json) as w(i int, lane_id bigint, epoch bigint, job_id bigint)
    cross join lateral (select min(j.job_id) as job_id from postrider.job j
                        where j.lane_id = w.lane_id and j.job_id between $2::bigint and $3::bigint
                          and j.job_id > w.job_id
                          and (j.state in ('waiting', 'retryable')
                               or j.state = 'available'
                                  and (j.started_at is not null or j.forked_from is not null or j.asked is not null))) b
    cross join lateral (select j.job_id from postrider.job j
                        where j.lane_id = w.lane_id and j.job_id between $2::bigint and $3::bigint
                          and j.job_id > w.job_id and j.job_id < coalesce(b.job_id, j.job_id + 1)
                          and (j.state = 'available' and j.started_at is null or j.state = 'running')
                        order by j.job_id desc limit 1) x
    where exists (select from postrider.job j
                  where j.job_id between $2::bigint and $3::bigint and j.job_id = w.job_id and j.asked is null offset 0)
), o as (
    update postrider.job j
    set state = 'completed', finished_at = postrider.now(), output = jsonb_build_object('coalesced_into', w.newest)
    from w
    where j.lane_id = w.lane_id and j.job_id between $2::bigint and $3::bigint
      and j.job_id >= w.job_id and j.job_id < w.newest
      and (j.state = 'running' or j.state = 'available' and j.started_at is null)
), h as (
    update postrider.lane_run r
    set head = case when r.head < w.job_id then r.head else w.newest end, asked = case when )" POSTRIDER_LANE_HOLDS
    R"( then 'hold' end from w
    where r.epoch = any(array(select epoch from w)) and r.node_id is not null and r.lane_id + 0 = w.lane_id
), g as (
    update postrider.job j
    set state = 'running', run_no = 1, started_at = coalesce(j.started_at, postrider.now())
    where j.job_id between $2::bigint and $3::bigint and j.job_id = any(array(select newest from w))
    returning )" POSTRIDER_JOB_COLUMNS R"(
)
select w.i, g.* from w join g on g.job_id = w.newest
)",
    95,
    storage::rows_and_range};

// Behind a job (`after`) that is over, the lane stays with this node and its next job runs, unless it is
// not due yet: then the lane is free until it is, or until the message comes that it waits for. The fence
// has locked the lane and this statement's snapshot is newer: it sees every job whose arrival the fence
// counted. Where it finds none, none is left, none can come in between, and the lane is idle. Behind the
// job of the lane's last `arrival` nobody needs to look; 0 = look. One found running was handed on by a
// commit whose answer was lost.
inline constexpr storage::statement leave_lanes{
    "leave_lanes",
    R"(
with w as materialized (
    select t.*, r.head, r.arrivals <> t.arrival as more
    from json_to_recordset($1::json) as t(i int, lane_id bigint, epoch bigint, after bigint, arrival bigint)
    cross join lateral (select r.head, r.arrivals from postrider.lane_run r
                        where r.lane_id = t.lane_id and r.epoch = t.epoch offset 0) r
), n as materialized (
    select w.i, w.lane_id, w.epoch, x.*, coalesce(x.due_at > postrider.now(), false)
               and not (h.hears and exists (select from postrider.job j
                                            where j.lane_id = w.lane_id and j.job_id between $2::bigint and $3::bigint
                                              and j.job_id > x.job_id and j.state = 'available'
                                              and j.started_at is null)) as later, h.hears
    from w
    cross join lateral (select j.job_id, j.due_at, j.wait_reason from postrider.job j
                        where w.more and )" POSTRIDER_LIVE_JOBS("w.") R"( and j.job_id <> w.after
                        order by j.job_id limit 1) x
    cross join lateral (select coalesce(x.due_at > postrider.now(), false)
                               and exists (select from postrider.wait a where a.job_id = x.job_id and a.hears) as hears) h
), h as (
    update postrider.lane_run r
    set head = n.job_id, asked = null, suspect = 0,
        node_id = case when not n.later then r.node_id end,
        ready_at = case when n.later then n.due_at else r.ready_at end,
        wait_reason = case when n.later then n.wait_reason end,
        wants_mail = n.later and n.hears
    from n
    where r.epoch = any(array(select epoch from n)) and r.node_id is not null and r.lane_id + 0 = n.lane_id
), z as materialized (
    select lane_id, epoch from w where lane_id <> all(array(select lane_id from n))
), o as (
    update postrider.lane_run r
    set )" POSTRIDER_IDLE_LANE R"(
    from z
    where r.epoch = any(array(select epoch from z)) and r.node_id is not null and r.lane_id + 0 = z.lane_id
), g as (
    update postrider.job j
    set state = 'running', run_no = j.run_no + 1, started_at = coalesce(j.started_at, postrider.now()),
        due_at = null, wait_reason = null
    where j.job_id between $2::bigint and $3::bigint
      and j.job_id = any(array(select job_id from n where not later))
    returning )" POSTRIDER_JOB_COLUMNS R"(
)
select n.i, g.* from n left join g on g.job_id = n.job_id
)",
    96,
    storage::rows_and_range};

} // namespace postrider::queue::sql
