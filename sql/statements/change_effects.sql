-- Changes the state of effects; one that was flagged stays so.
--
-- $1: a row for each effect
-- $2, $3: the least and the greatest job of the rows
-- returns: nothing
-- order: 74
with w as materialized (
    select * from json_to_recordset($1::json)
        as t(i int, job_id bigint, key text, state text, flagged boolean, result jsonb)
)
update postrider.effect e
set state = w.state, flagged = e.flagged or w.flagged, result = coalesce(w.result, e.result),
    settled_at = case when w.state in ('done', 'failed', 'unknown') then postrider.now() end
from w
where e.job_id between $2::bigint and $3::bigint and e.job_id = any(array(select job_id from w))
  and e.job_id + 0 = w.job_id and e.key || '' = w.key
