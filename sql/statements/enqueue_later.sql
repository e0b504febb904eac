-- Makes jobs for later, in the order of their unique keys, so that all nodes lock them in one order.
--
-- $1: a row for each job
-- returns: i, job, created, due (microseconds since 1970); no row where the lane does not exist or `while_running` is over
-- order: 31
select t.i, l.job_id, l.created, (extract(epoch from l.due_at) * 1000000)::bigint
from (select * from json_to_recordset($1::json) as t(i int, lane_id bigint, lane_key text, kind text, input jsonb,
          delay_ms bigint, at_us bigint, unique_key text, debounce_ms bigint, longest_ms bigint, priority int, limit_ms bigint,
          while_running bigint)
      where t.while_running is null
         or exists (select from postrider.job j where j.job_id = t.while_running and j.state = 'running')
      order by unique_key nulls first, i) t
cross join lateral postrider.job_later(
    coalesce(t.lane_id, (select l.lane_id from postrider.lane l where l.lane_key = t.lane_key)), t.kind, t.input,
    coalesce('epoch'::timestamptz + t.at_us * interval '1 us', postrider.now() + t.delay_ms * interval '1 ms'),
    t.unique_key, t.debounce_ms * interval '1 ms', t.longest_ms * interval '1 ms', t.priority,
    t.limit_ms * interval '1 ms') l
