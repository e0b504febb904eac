-- Makes lanes idle whose last arrivals are over. The rows are locked by the fence, so none can come in between.
--
-- $1: a row for each lane
-- returns: nothing
-- order: 93
with w as materialized (
    select * from json_to_recordset($1::json) as t(i int, lane_id bigint, epoch bigint)
)
update postrider.lane_run r
set {{lanes.idle_lane}}
from w
where r.epoch = any(array(select epoch from w)) and r.node_id is not null and r.lane_id + 0 = w.lane_id
