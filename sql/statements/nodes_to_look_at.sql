-- Finds the nodes to look at: the silent, the neighbours on this machine, and leases of nodes that have left (those have no row, and
-- no pid; they come of commits that were under way then, so a heartbeat looks for them above its floor too). It travels
-- with every heartbeat, and reads no table that the heartbeat does not need anyway.
--
-- $1: one row
-- returns: i, node, pid, its start, whether it is silent
-- order: 2
with t as materialized (
    select * from json_to_recordset($1::json)
    as t(i int, node_id bigint, boot_id text, pid_space text, silence_ms bigint, floor bigint)
)
select t.i, n.node_id, n.pid, n.pid_started, n.beat_at < postrider.now() - t.silence_ms * interval '1 ms'
from t join postrider.node n on n.node_id <> t.node_id
 and (n.beat_at < postrider.now() - t.silence_ms * interval '1 ms'
      or (n.boot_id = t.boot_id and n.pid_space = t.pid_space))
union all
select t.i, r.node_id, 0, 0, true
from t cross join lateral (select distinct node_id from postrider.lane_run
                           where epoch > t.floor and node_id is not null offset 0) r
where not exists (select from postrider.node n where n.node_id = r.node_id)
