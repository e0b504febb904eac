-- Finds lanes that are still leased so, among those that fence_unlocked returned no row for.
--
-- $1: a row for each lane
-- returns: i of each lane that is
-- order: 0
select t.i from json_to_recordset($1::json) as t(i int, lane_id bigint, epoch bigint, node_id bigint)
cross join lateral (select from postrider.lane_run r
                    where r.lane_id = t.lane_id and r.node_id = t.node_id and r.epoch = t.epoch offset 0) r
