-- Finds lanes that are paused.
--
-- $1: a row for each lane
-- returns: i of each lane that is paused
-- order: 98
select t.i from json_to_recordset($1::json) as t(i int, lane_id bigint)
where postrider.lane_held(t.lane_id)
