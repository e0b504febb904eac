-- Writes what uses of a resource came to.
--
-- $1: a row for each resource
-- returns: the columns of read_gates; no row while another session has locked the bucket
-- order: 0
with t as materialized (
    select * from json_to_recordset($1::json) as t(i int, name text, outcome text, n int, ms bigint, reason text)
    where postrider.bucket_lock(t.name)
)
select t.i, b.name, b.rate, b.burst, b.breaker,
       case when b.open_until < 'infinity' then ceil(1000 * extract(epoch from b.open_until - postrider.now()))::bigint end,
       b.failures, b.reason
from t cross join lateral postrider.bucket_report(t.name, t.outcome, t.n, t.ms, t.reason) b
