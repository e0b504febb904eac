-- The CTEs behind "u", which has the columns of new_job, those above, "priority", and "later": how
-- many rows of the same lane stand behind this one.
--
-- One pass over the lanes in id order, so that nodes lock them in one order; a lane is touched once
-- however many of the rows are its. A paused lane is never leased, and neither is a coalescing one:
-- what waits there is coalesced when it is claimed.
--
-- A lane's row is the one with its greatest epoch, the first that a backward scan sees. It is
-- locked before it is changed:
-- - Another arrival, a claim or the end of the lane's burst that has it is waited for; the lock
--   then is on the version it left, and the epoch is that version's.
-- - Where prune_lanes has it, the row is gone after the wait: "x" has no row of that lane.
-- - Where conversation_delete has it, the lane is closed after the wait: the statement fails
--   (not_found).
-- With the epoch known the insert always meets the row ("on conflict" looks it up by its key in any
-- plan, and finds it even if it is newer than the snapshot), so it never inserts. A number is drawn
-- for a lane that begins to work: it is the epoch of what begins, smaller than its jobs.
l as materialized (
    select a.*, r.epoch,
           case when r.ready_at is null then nextval('postrider.number') else r.head end
               as number
    from (select lane_id, count(*) as n, max(instant) as instant,
                 bool_or(paused) as paused, min(mailbox) as mailbox,
                 min(priority) as priority,
                 case when bool_and(node_id is not null) then min(node_id) end as node_id,
                 max(debounce_ms) * interval '1 ms' as debounce,
                 nullif(max(most_ms), 0) * interval '1 ms' as most
          from u group by lane_id order by lane_id) a
    cross join lateral (select r.epoch, r.ready_at, r.head, r.closed
                        from postrider.lane_run r where r.lane_id = a.lane_id
                        order by r.epoch desc limit 1 for update) r
    where case when r.closed then postrider.lane_refuses() else true end
), run as (
    insert into postrider.lane_run as r (lane_id, ready_at, node_id, epoch, arrivals, head,
                                         wait_reason, mailbox, priority, quiet_until)
    select lane_id, case when paused then 'infinity' else instant + debounce end,
           case when not paused and mailbox <> 'coalesce' then node_id end, epoch, n,
           number, case when paused then 'paused' end, mailbox, priority, instant + most
    from l
    on conflict (lane_id, epoch) do update
    set epoch = case when r.ready_at is null then excluded.head else r.epoch end,
        node_id = case when r.ready_at is null then excluded.node_id else r.node_id end,
        wait_reason = case when r.ready_at is null then excluded.wait_reason
                           else r.wait_reason end,
        mailbox = case when r.ready_at is null then excluded.mailbox else r.mailbox end,
        head = coalesce(r.head, excluded.head),
        arrivals = r.arrivals + excluded.arrivals,
        priority = least(r.priority, excluded.priority),
        quiet_until = case when excluded.quiet_until is not null
                           then coalesce(r.quiet_until, excluded.quiet_until) end,
        ready_at = case
            when r.ready_at is null then excluded.ready_at
            when r.ready_at = 'infinity' then 'infinity'
            when r.wants_mail or (excluded.mailbox = 'interrupt' and r.node_id is null)
                then postrider.now()
            when excluded.quiet_until is not null and r.wait_reason is null
                then least(excluded.ready_at,
                           coalesce(r.quiet_until, excluded.quiet_until))
            else r.ready_at end,
        asked = case when excluded.mailbox = 'interrupt' and r.ready_at is not null
                     then coalesce(r.asked, 'interrupt') else r.asked end
    returning lane_id, node_id, epoch, arrivals, asked,
              node_id is null and (wants_mail or mailbox = 'interrupt') as hears
), x as materialized (
    select s.*, nextval('postrider.number') as job_id
    from (select u.*, r.epoch, r.arrivals - u.later as place,
                 r.asked = 'interrupt' as interrupts, r.hears,
                 r.arrivals - u.later = 1 and r.node_id is not null as leased
          from u join run r on r.lane_id = u.lane_id order by u.i) s
), j as (
    insert into postrider.job (job_id, lane_id, conversation_id, arrival, created_at, kind,
                               state, run_no, started_at, deadline_at, priority,
                               code_version, input)
    select job_id, lane_id, conversation_id, place, instant, kind,
           case when leased then 'running' else 'available' end, leased::int,
           case when leased then instant end, instant + deadline * interval '1 ms',
           priority, coalesce(version, 1), input
    from x
)
