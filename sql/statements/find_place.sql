-- Finds the place of a job that waits for a resource.
--
-- $1: one row
-- returns: i, milliseconds waited, milliseconds left, reserved, until; no row where it has none
-- order: 0
select t.i, (1000 * extract(epoch from postrider.now() - w.since))::bigint,
       ceil(1000 * extract(epoch from w.until_at - postrider.now()))::bigint, w.reserved, w.until_at
from json_to_recordset($1::json) as t(i int, job_id bigint, resource text)
cross join lateral (select * from postrider.bucket_place w where w.job_id = t.job_id and w.resource = t.resource offset 0) w
