-- Leases lanes that find_ready has locked to a node, and begins their first jobs.
--
-- The lanes are locked, and this statement's snapshot is newer. A lane whose job another session has locked is passed
-- over. One found free with a running job (a node's commit was lost halfway) is taken like any other. "on conflict" finds
-- each lane's row by its key in any plan (as in enqueue_turns): the row is locked and stands, so nothing is inserted. Of
-- what the lane's row says was asked, that stays which concerns whatever runs: the rest was asked of one job, and stands
-- in that job's row. The last row has no lane.
--
-- $1: a row for each lane
-- $2, $3: the least and the greatest job of the rows
-- returns: i, lanes passed over, lane, epoch, edits, mailbox, arrivals, asked, head, suspect, job (parts/begun_job.sql)
-- order: 1
with t as materialized (
    select * from json_to_recordset($1::json)
        as t(i int, node_id bigint, slots int, lane_id bigint, epoch bigint, head bigint, place bigint)
), x as materialized (
    select t.lane_id, t.epoch, t.head, t.place, j.job_id, j.arrival from t
    left join lateral (select j.job_id, j.arrival from postrider.live_jobs(t.lane_id, t.head) j
                       where j.job_id between $2::bigint and $3::bigint order by j.job_id limit 1) j on true
), k as materialized (
    select job_id from postrider.job
    where job_id between $2::bigint and $3::bigint and job_id = any(array(select job_id from x)) for update skip locked
), r as (
    insert into postrider.lane_run as r (lane_id, epoch, ready_at, head, arrivals)
    select lane_id, epoch, postrider.now(), head, coalesce(arrival, 0) from x
    where job_id is null or job_id in (select job_id from k)
    order by place limit (select slots from t limit 1)
    on conflict (lane_id, epoch) do update
    set node_id = (select node_id from t limit 1), epoch = nextval('postrider.number'), wait_reason = null,
        wants_mail = false, quiet_until = null, left_by = null,
        asked = case when r.asked = 'hold' or r.asked = 'interrupt' and r.arrivals > excluded.arrivals then r.asked end
    where r.node_id is null
    returning r.lane_id, r.epoch, r.edits, r.mailbox, r.arrivals, r.asked, r.head, r.suspect
), g as (
    {{begin_jobs}}
    where j.job_id between $2::bigint and $3::bigint
      and j.job_id = any(array(select job_id from x where lane_id in (select lane_id from r)))
    returning {{begun_job}}
)
select t.i, (select count(*) from x where job_id not in (select job_id from k)),
       r.lane_id, r.epoch, r.edits, r.mailbox, r.arrivals, r.asked, r.head, r.suspect, g.*
from (select i from t limit 1) t,
     (select * from r union all select null, null, null, null, null, null, null, null) r
left join x on x.lane_id = r.lane_id
left join g on g.job_id = x.job_id
