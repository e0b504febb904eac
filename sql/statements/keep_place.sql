-- Keeps the place of a job that waits for a resource. `since` stays that of the first wait.
--
-- $1: a row for each place
-- returns: nothing
-- order: 77
insert into postrider.bucket_place (job_id, lane_id, until_at, reserved, resource, reason)
select job_id, lane_id, postrider.now() + ms * interval '1 ms', reserved, resource, reason
from json_to_recordset($1::json) as t(i int, job_id bigint, lane_id bigint, ms bigint, reserved boolean, resource text, reason text)
on conflict (job_id, resource) do update
set until_at = excluded.until_at, reserved = excluded.reserved, reason = excluded.reason
