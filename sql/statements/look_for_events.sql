-- Makes the lane of a parked job ready if what it waits for has come meanwhile.
--
-- Several waits were written one after the other: an event for one of them may have come between, or what take_events
-- takes for an answer. Nothing else makes the lane ready: its job would look in vain.
--
-- $1: a row for each job
-- $2, $3: the least and the greatest job of the rows
-- returns: nothing
-- order: 97
with t as materialized (
    select * from json_to_recordset($1::json) as t(i int, job_id bigint, lane_id bigint, epoch bigint)
), w as materialized (
    select t.lane_id, t.epoch from t
    where exists (select from postrider.wait a join postrider.event e on e.lane_id = a.lane_id and e.type = a.type
                      and (e.job_id is null or e.job_id = a.job_id) and e.match is not distinct from a.match
                  where a.job_id = t.job_id offset 0)
       or exists (select from postrider.wait a
                  where a.job_id = t.job_id and a.hears and exists (
                      select from postrider.job j
                      where j.lane_id = t.lane_id and j.job_id between $2::bigint and $3::bigint
                        and j.job_id > greatest(t.job_id, a.heard_to) and j.state = 'available' and j.started_at is null
                        and (a.type = 'message'
                             or exists (select from postrider.message m
                                        where m.lane_id = j.lane_id and m.job_id = j.job_id
                                          and m.position = 0 and m.role = 'user' offset 0)) offset 0) offset 0)
)
update postrider.lane_run r set ready_at = postrider.now()
from w
where r.lane_id = any(array(select lane_id from w)) and r.lane_id + 0 = w.lane_id and r.epoch = w.epoch
  and coalesce(r.node_id, 0) = 0 and r.ready_at < 'infinity'
