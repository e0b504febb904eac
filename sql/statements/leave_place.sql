-- Removes the place of a job. The job keeps why it waited.
--
-- $1: a row for each place
-- $2, $3: the least and the greatest job of the rows
-- returns: nothing
-- order: 76
with t as materialized (
    select * from json_to_recordset($1::json) as t(i int, job_id bigint, resource text, until timestamptz, waited bigint, passed boolean)
), p as (
    delete from postrider.bucket_place w using t
    where w.job_id = any(array(select job_id from t)) and w.job_id + 0 = t.job_id and w.resource = t.resource
      and w.until_at = t.until
    returning w.job_id, w.since, w.since + t.waited * interval '1 ms' as ended_at, w.reason, case when not t.passed then 'it gave up' end as ending
), e as materialized (
    select job_id, jsonb_agg(postrider.ended_wait('limit', since, reason, ending => ending, ended_at => ended_at) order by since) as waits
    from p group by job_id
)
update postrider.job j set waited = postrider.with_waits(j.waited, e.waits)
from e
where j.job_id between $2::bigint and $3::bigint and j.job_id = any(array(select job_id from e))
  and j.job_id + 0 = e.job_id
