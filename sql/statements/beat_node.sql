-- Notes a heartbeat. One that is lost with the server's power is none: it need not wait for the disk. With it comes the last
-- number drawn: where a sequence was set to begin at a number, that is still to come.
--
-- $1: one row
-- returns: i, the last number drawn; no row where the node was taken for dead
-- order: 0
with t as materialized (
    select *, set_config('synchronous_commit', 'off', true)
    from json_to_recordset($1::json) as t(i int, node_id bigint, busy int)
), b as (
    update postrider.node n set beat_at = postrider.now(), busy = t.busy, several_suspects = false
    from t where n.node_id = t.node_id returning n.node_id
)
select t.i, (select last_value - (not is_called)::int from postrider.number) from t join b on b.node_id = t.node_id
