-- Takes tokens that are free at once; when there is none, reserves one and tells the wait. What it changes may be lost with the
-- server's power, so it does not wait for the disk.
--
-- $1: one row
-- returns: i, false and nothing else while another session has locked the bucket, tokens, milliseconds to wait
-- order: 0
with t as materialized (
    select *, set_config('synchronous_commit', 'off', true)
    from json_to_recordset($1::json) as t(i int, name text, most int, at_most bigint)
), f as materialized (
    select t.*, postrider.bucket_lock(t.name) as free from t
)
select f.i, f.free, l.n, case when l.n = 0 then postrider.bucket_take(f.name, 1, f.at_most) else 0 end
from f cross join lateral (select case when f.free then postrider.bucket_lease(f.name, f.most) end as n) l
