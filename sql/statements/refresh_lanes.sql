-- Brings lanes in line with their jobs, behind free_lanes: a lane without a job that is left is idle.
--
-- $1: a row for each lane
-- returns: i
-- order: 99
select t.i, postrider.lane_refresh(t.lane_id) from json_to_recordset($1::json) as t(i int, lane_id bigint)
