-- Frees lanes for any node: after `delay` milliseconds, and then for others before the one that could not run its job, or
-- as soon as it is ready by itself (a coalescing lane waits for quiet).
--
-- $1: a row for each lane
-- returns: nothing
-- order: 94
with w as materialized (
    select * from json_to_recordset($1::json)
        as t(i int, lane_id bigint, epoch bigint, head bigint, delay bigint, reason text)
)
update postrider.lane_run r
set node_id = null, asked = null, suspect = 0, head = w.head,
    ready_at = case when postrider.lane_holds(r.asked, r.lane_id) then 'infinity'
                    else greatest(r.ready_at, postrider.now() + coalesce(w.delay, 0) * interval '1 ms') end,
    left_by = case when w.delay > 0 then r.node_id end,
    wait_reason = case when postrider.lane_holds(r.asked, r.lane_id) then 'paused' else w.reason end
from w
where r.epoch = any(array(select epoch from w)) and r.node_id is not null and r.lane_id + 0 = w.lane_id
