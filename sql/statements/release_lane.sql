-- Gives up the lease of a lane, which is locked.
--
-- $1: the lane
-- returns: nothing
update postrider.lane_run set node_id = null, epoch = nextval('postrider.number'), ready_at = postrider.now()
where lane_id = $1::bigint and node_id is not null
