-- Locks the lanes in id order; a lane that this node does not lease with this epoch returns no row.
--
-- $1: a row for each lane
-- returns: i, arrivals, edits, head, asked
-- order: 0
select o.i, r.arrivals, r.edits, r.head, r.asked
from (select * from json_to_recordset($1::json) as t(i int, lane_id bigint, epoch bigint, node_id bigint)
      order by lane_id) o
cross join lateral (select r.arrivals, r.edits, r.head, r.asked from postrider.lane_run r
                    where r.lane_id = o.lane_id and r.node_id = o.node_id and r.epoch = o.epoch for update) r
