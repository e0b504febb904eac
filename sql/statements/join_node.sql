-- Registers a node.
--
-- $1: one row
-- returns: 0, the node
-- order: 0
with n as (
    insert into postrider.node (node_id, pid, pid_started, boot_id, pid_space, host, version, slots)
    select nextval('postrider.number'), pid, pid_started, boot_id, pid_space, host, version, slots
    from json_to_recordset($1::json) as t(i int, pid int, pid_started bigint, boot_id text, pid_space text,
         host text, version text, slots int)
    returning node_id
)
select 0, node_id from n
