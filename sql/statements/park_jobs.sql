-- Parks jobs.
--
-- The job waits, and its lane with it: the row is not ready before. A job that was put back meanwhile and goes first makes
-- it ready at once.
--
-- $1: a row for each job
-- $2, $3: the least and the greatest job of the rows
-- returns: nothing
-- order: 89
with w as materialized (
    select * from json_to_recordset($1::json)
        as t(i int, job_id bigint, epoch bigint, state text, delay bigint, until bigint, reason text)
), j as (
    update postrider.job j
    set state = w.state, wait_reason = w.reason,
        due_at = least(coalesce(to_timestamp(w.until / 1000.0), postrider.now() + w.delay * interval '1 ms'),
                       j.deadline_at)
    from w
    where j.job_id between $2::bigint and $3::bigint and j.job_id = any(array(select job_id from w))
      and j.job_id + 0 = w.job_id and j.state = 'running'
    returning j.job_id, j.lane_id, w.epoch, j.due_at, j.wait_reason
), x as materialized (
    select j.*, exists (select from postrider.lane_run r cross join lateral postrider.live_jobs(r.lane_id, r.head) o
                        where r.lane_id = j.lane_id and r.epoch = j.epoch and o.job_id between $2::bigint and $3::bigint
                          and o.job_id < j.job_id and o.state <> 'running') as overtaken
    from j
)
update postrider.lane_run r
set node_id = null, asked = null, suspect = 0,
    head = case when x.overtaken then r.head else x.job_id end,
    ready_at = case when postrider.lane_holds(r.asked, r.lane_id) then 'infinity' when x.overtaken then postrider.now() else x.due_at end,
    wait_reason = case when postrider.lane_holds(r.asked, r.lane_id) then 'paused' when not x.overtaken then x.wait_reason end
from x
where r.epoch = any(array(select epoch from x)) and r.node_id is not null and r.lane_id + 0 = x.lane_id
