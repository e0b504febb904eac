-- Notes what a job waits for, and in its lane that a message may end the wait. Of one that it waits for already, which messages it has
-- heard.
--
-- $1: a row for each wait
-- returns: nothing
-- order: 77
with w as materialized (
    insert into postrider.wait (job_id, lane_id, key, type, match, until_at, hears, heard_to)
    select job_id, lane_id, key, type, match, postrider.now() + timeout * interval '1 ms', takes_message or ends_on_message,
           coalesce(heard_to, 0)
    from json_to_recordset($1::json) as t(i int, job_id bigint, lane_id bigint, key text, type text, match text,
                                            timeout bigint, takes_message boolean, ends_on_message boolean, heard_to bigint)
    on conflict (job_id, key) do update set heard_to = excluded.heard_to where wait.heard_to < excluded.heard_to
), m as materialized (
    select lane_id, epoch
    from json_to_recordset($1::json) as t(i int, lane_id bigint, epoch bigint, takes_message boolean, ends_on_message boolean)
    where takes_message or ends_on_message
)
update postrider.lane_run r set wants_mail = true
from m
where r.epoch = any(array(select epoch from m)) and r.node_id is not null and r.lane_id + 0 = m.lane_id
