-- Locks dead nodes. What another session has locked is passed over, here and in lock_dead_lanes: its turn comes with the next
-- look, and everything else need not wait for it. A node may have beaten since it was found silent: only those whose process is
-- gone are taken whatever their row says.
--
-- $1: the nodes
-- $2: those whose process is gone
-- $3: the silence, in milliseconds, after which a node is dead
-- returns: the nodes that it locked
select node_id from postrider.node
where node_id = any($1::bigint[])
  and (node_id = any($2::bigint[]) or beat_at < postrider.now() - $3::bigint * interval '1 ms')
for update skip locked
