-- Leaves lanes behind jobs that are over: with their next jobs, or idle.
--
-- Behind a job (`after`) that is over, the lane stays with this node and its next job runs, unless it is not due yet: then
-- the lane is free until it is, or until the message comes that it waits for. The fence has locked the lane and this
-- statement's snapshot is newer: it sees every job whose arrival the fence counted. Where it finds none, none is left,
-- none can come in between, and the lane is idle. Behind the job of the lane's last `arrival` nobody needs to look; 0 =
-- look. One found running was handed on by a commit whose answer was lost.
--
-- $1: a row for each lane
-- $2, $3: the least and the greatest job of the rows
-- returns: i, and the next job (parts/begun_job.sql), or nulls where it is not due yet; no row for an idle lane
-- order: 96
with w as materialized (
    select t.*, r.head, r.arrivals <> t.arrival as more
    from json_to_recordset($1::json) as t(i int, lane_id bigint, epoch bigint, after bigint, arrival bigint)
    cross join lateral (select r.head, r.arrivals from postrider.lane_run r
                        where r.lane_id = t.lane_id and r.epoch = t.epoch offset 0) r
), n as materialized (
    select w.i, w.lane_id, w.epoch, x.*, coalesce(x.due_at > postrider.now(), false)
               and not (h.heard_to is not null
                        and exists (select from postrider.job j
                                    where j.lane_id = w.lane_id and j.job_id between $2::bigint and $3::bigint
                                      and j.job_id > greatest(x.job_id, h.heard_to) and j.state = 'available'
                                      and j.started_at is null)) as later, h.heard_to
    from w
    cross join lateral (select j.job_id, j.due_at, j.wait_reason from postrider.live_jobs(w.lane_id, w.head) j
                        where w.more and j.job_id between $2::bigint and $3::bigint and j.job_id <> w.after
                        order by j.job_id limit 1) x
    cross join lateral (select case when x.due_at > postrider.now() then
                                   (select min(a.heard_to) from postrider.wait a where a.job_id = x.job_id and a.hears)
                               end as heard_to) h
), h as (
    update postrider.lane_run r
    set head = n.job_id, asked = null, suspect = 0,
        node_id = case when not n.later then r.node_id end,
        ready_at = case when n.later then n.due_at else r.ready_at end,
        wait_reason = case when n.later then n.wait_reason end,
        wants_mail = n.later and n.heard_to is not null
    from n
    where r.epoch = any(array(select epoch from n)) and r.node_id is not null and r.lane_id + 0 = n.lane_id
), z as materialized (
    select lane_id, epoch from w where lane_id <> all(array(select lane_id from n))
), o as (
    update postrider.lane_run r
    set {{lanes.idle_lane}}
    from z
    where r.epoch = any(array(select epoch from z)) and r.node_id is not null and r.lane_id + 0 = z.lane_id
), g as (
    {{begin_jobs}}
    where j.job_id between $2::bigint and $3::bigint
      and j.job_id = any(array(select job_id from n where not later))
    returning {{begun_job}}
)
select n.i, g.* from n left join g on g.job_id = n.job_id
