-- Locks a lane that a node leases, unless another session has it.
--
-- $1: the lane
-- $2: the node
-- $3: the epoch
-- returns: a row if it has locked it
select from postrider.lane_run where lane_id = $1::bigint and node_id = $2::bigint and epoch = $3::bigint for update skip locked
