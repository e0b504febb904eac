-- Ends waits of a job. Without a key: all that the job waited for, also its places at limits; or the waits whose keys begin
-- with `below`. The job keeps what they were.
--
-- $1: a row for each end
-- $2, $3: the least and the greatest job of the rows
-- returns: nothing
-- order: 78
with t as materialized (
    select * from json_to_recordset($1::json) as t(i int, job_id bigint, key text, below text)
), p as (
    delete from postrider.bucket_place p using t where p.job_id = t.job_id and t.key is null and t.below is null
    returning p.job_id, p.since, p.reason
), a as (
    delete from postrider.wait a using t
    where a.job_id = t.job_id
      and (a.key = t.key or starts_with(a.key, t.below) or t.key is null and t.below is null)
    returning a.job_id, a.since, a.type, a.match, a.key
), e as materialized (
    select job_id, jsonb_agg(ended order by since) as waits
    from (select job_id, since, postrider.ended_wait('limit', since, reason) as ended from p
          union all select job_id, since, postrider.ended_wait('event', since, type, match, key) from a) x
    group by job_id
)
update postrider.job j set waited = postrider.with_waits(j.waited, e.waits)
from e
where j.job_id between $2::bigint and $3::bigint and j.job_id = any(array(select job_id from e))
  and j.job_id + 0 = e.job_id
