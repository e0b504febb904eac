-- Locks lanes of dead nodes, the suspects first: whether one was alone is judged while all of them are still leased.
--
-- $1: the nodes
-- $2: at most so many
-- returns: the lanes
select lane_id from postrider.lane_run where node_id = any($1::bigint[])
order by suspect desc limit $2::int for update skip locked
