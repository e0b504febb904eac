-- Pauses jobs, unless that was withdrawn (no row is returned then), or puts them back as if their runs had not begun: a
-- first run that has left nothing behind never did.
--
-- $1: a row for each job
-- $2, $3: the least and the greatest job of the rows
-- returns: i of each job whose state was changed
-- order: 90
with w as materialized (
    select * from json_to_recordset($1::json) as t(i int, job_id bigint, state text, uncount smallint)
)
update postrider.job j
set state = w.state, run_no = j.run_no - w.uncount,
    started_at = case when j.run_no > w.uncount
                        or exists (select from postrider.step s
                                   where s.job_id between $2::bigint and $3::bigint and s.job_id = j.job_id)
                        or exists (select from postrider.effect e
                                   where e.job_id between $2::bigint and $3::bigint and e.job_id = j.job_id)
                      then j.started_at end,
    asked = case when w.state <> 'paused' then j.asked end,
    paused_at = case when w.state = 'paused' then postrider.now() end
from w
where j.job_id between $2::bigint and $3::bigint and j.job_id = any(array(select job_id from w))
  and j.job_id + 0 = w.job_id and j.state = 'running' and (w.state <> 'paused' or j.asked = 'pause')
returning w.i
