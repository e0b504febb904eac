-- Ends jobs. What a job paid is that of all its tries, in earlier lives too; this commit's stand by now. Where its only run
-- knows it (`paid`), nobody looks. No number of theirs, however wrong, keeps the job from ending.
--
-- $1: a row for each job
-- $2, $3: the least and the greatest job of the rows
-- returns: nothing
-- order: 91
with w as materialized (
    select t.*, p.* from json_to_recordset($1::json) as t(i int, job_id bigint, state text, output jsonb,
        error_class text, error text, degraded boolean, degraded_reason text, paid jsonb)
    cross join lateral (
        select postrider.as_bigint(sum((u.usage ->> 'tokens_in')::bigint)) as tokens_in,
               postrider.as_bigint(sum((u.usage ->> 'tokens_out')::bigint)) as tokens_out,
               postrider.as_bigint(sum((u.usage ->> 'tokens_cached')::bigint)) as tokens_cached,
               nullif(postrider.as_bigint(sum((u.usage ->> 'cost_micro')::bigint)), 0) as cost_micro
        from (select t.paid as usage where t.paid is not null
              union all
              select s.usage from postrider.step s
              where t.paid is null and s.job_id between $2::bigint and $3::bigint and s.job_id = t.job_id
                and s.usage is not null) u) p
)
update postrider.job j
set state = w.state, finished_at = postrider.now(), output = w.output, error_class = w.error_class,
    error = w.error, tokens_in = w.tokens_in, tokens_out = w.tokens_out, tokens_cached = w.tokens_cached,
    cost_micro = w.cost_micro, degraded = w.degraded,
    degraded_reason = w.degraded_reason, asked = null
from w
where j.job_id between $2::bigint and $3::bigint and j.job_id = any(array(select job_id from w))
  and j.job_id + 0 = w.job_id and j.state = 'running'
