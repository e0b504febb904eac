-- Reads the leases of a node: the epochs above `floor`, and those of `older` (queue/node/lease_look.hpp).
--
-- $1: one row
-- returns: i, this transaction, the oldest one that is under way, lane, epoch, whether something was asked; the last row has no lease
-- order: 1
select t.i, pg_current_xact_id()::text::bigint, pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
       r.lane_id, r.epoch, r.asked is not null
from json_to_recordset($1::json) as t(i int, node_id bigint, floor bigint, older jsonb)
cross join lateral (
    (select r.lane_id, r.epoch, r.asked from postrider.lane_run r
     where r.epoch > t.floor and r.node_id = t.node_id offset 0)
    union all
    (select r.lane_id, r.epoch, r.asked from postrider.lane_run r
     where r.epoch = any(array(select e::bigint from jsonb_array_elements_text(t.older) e))
       and r.node_id = t.node_id offset 0)
    union all
    select null, null, null) r
