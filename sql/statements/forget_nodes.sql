-- Removes dead nodes. One whose lanes could not all be taken stays until they can.
--
-- $1: the nodes
-- returns: nothing
delete from postrider.node n
where n.node_id = any($1::bigint[]) and not exists (select from postrider.lane_run r where r.node_id = n.node_id)
