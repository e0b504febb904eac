-- Enqueues jobs, and leases lanes that were idle to the node that takes them. "offset 0" keeps the look-up by index, also in a
-- plan that was made while the table was empty.
--
-- $1: a row for each job
-- returns: i, job, lane, conversation, arrival, epoch, leased, interrupts, mailbox, hears; no row where the lane does not exist
-- order: 30
with u as materialized (
    select t.*, coalesce(t.urgency, 2) as priority,
           row_number() over (partition by t.lane_id order by t.i desc) - 1 as later, {{lane_of_job}}
    from json_to_recordset($1::json) as t(i int, lane_id bigint, kind text, node_id bigint, deadline bigint,
                                            urgency smallint, version int, input jsonb)
    cross join lateral (
        select l.conversation_id, l.bot_id, l.paused_at, l.mailbox, l.debounce_ms, l.debounce_most_ms
        from postrider.lane l where l.lane_id = t.lane_id offset 0) l
), {{enqueue}}
select i, job_id, lane_id, conversation_id, place, epoch, leased, coalesce(interrupts, false), mailbox, hears from x
