-- Clears suspects that ran in this process: it lives, so they have not killed it.
--
-- $1: one row
-- returns: nothing
-- order: 0
with t as materialized (select * from json_to_recordset($1::json) as t(i int, lanes jsonb)),
l as materialized (
    select lane_id from postrider.lane_run
    where lane_id = any(array(select e::bigint from t, jsonb_array_elements_text(t.lanes) e))
      and suspect = 1 and node_id is null
    for update skip locked
)
update postrider.lane_run set suspect = 0 where lane_id = any(array(select lane_id from l))
