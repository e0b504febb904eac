-- Enqueues jobs, with what comes with them: the inbox row of an update, a message. Lanes that were idle are leased to the node
-- that takes the jobs.
--
-- Each part takes the rows of the one before it, which orders the locks: inbox rows by their keys, so that two nodes never wait
-- for each other, then lanes. "offset 0" keeps the look-up by index, also in a plan that was made while the table was empty.
--
-- - t: the rows whose lane exists, each update once, with what their lanes say; a lane that must exist and does not fails the
--   statement. What is no update's is new. The time, and what is paused as a whole, are looked up once.
--   A message of a watched group, or in a lane that is not its chat's, is found by its number there too (number_elsewhere).
-- - added: the updates that are new. The insert waits for a transaction that adds the same one.
-- - unblocked: clearing a chat's mark rides along. It comes behind the lanes, so it waits for nobody.
-- - u: the rows of new updates. `later`: how many rows of the same lane stand behind this one.
-- - l: one pass over the lanes in id order, so that nodes lock them in one order; a lane is touched once however many of the rows
--   are its. A lane's row is the one with its greatest epoch, the first that a backward scan sees. It is locked before it is changed:
--   - Another arrival, a claim or the end of the lane's burst that has it is waited for; the lock then is on the version it left,
--     and the epoch is that version's.
--   - Where prune_lanes has it, the row is gone after the wait: "x" has no row of that lane.
--   - Where conversation_delete has it, the lane is closed after the wait: the statement fails (not_found).
--   A number is drawn for a lane that begins to work: it is the epoch of what begins, smaller than its jobs.
-- - run: with the epoch known the insert always meets the row ("on conflict" looks it up by its key in any plan, and finds it even
--   if it is newer than the snapshot), so it never inserts. A paused lane is never leased, and neither is a coalescing one: what
--   waits there is coalesced when it is claimed.
-- - x: the jobs.
--
-- A new job whose lane went away between the look and the lock fails the statement, or an inbox row would stand without a job. One
-- that comes alone says that its lane may go: it then has no number.
--
-- $1: a row for each job
-- returns: i, job, lane, conversation, arrival, epoch, leased, interrupts, mailbox, wakes_parked; the job is null for an update
-- that was known, or whose lane went; no row where the lane does not exist
-- order: 30
with t as materialized (
    select distinct on (t.bot_id, t.update_id, case when t.update_id is null then t.i end)
           t.*, l.conversation_id, l.mailbox, l.debounce_ms, coalesce(nullif(l.debounce_most_ms, 0), l.debounce_ms * 10) as most_ms,
           l.paused_at is not null
               or exists (select from postrider.pause p where p.bot_id is null)
               or coalesce(l.bot_id = any(array(select p.bot_id from postrider.pause p where p.bot_id is not null)), false)
               as paused,
           case when t.chat_id is not null and (t.chat_id is distinct from l.chat_id or t.input ? 'seen')
                then t.telegram_message_id end as number_elsewhere,
           (select postrider.now()) as instant
    from json_to_recordset($1::json) as t(
        i int, lane_must_exist boolean, lane_may_go boolean, bot_id bigint, update_id bigint, lane_id bigint, kind text, node_id bigint, deadline bigint, urgency smallint,
        version int, input jsonb, id text, role text, content text, telegram_message_id bigint, chat_id bigint,
        thread_id bigint, sender_id bigint, sender_name text, reply_to bigint, sent_at bigint, origin text,
        sender_chat_id bigint, author jsonb)
    left join lateral (
        select l.conversation_id, l.bot_id, l.chat_id, l.paused_at, l.mailbox, l.debounce_ms, l.debounce_most_ms
        from postrider.lane l where l.lane_id = t.lane_id offset 0) l on true
    where case when l.conversation_id is not null then true when t.lane_must_exist then postrider.lane_went() is null else false end
    order by t.bot_id, t.update_id, case when t.update_id is null then t.i end, t.i
), added as (
    insert into postrider.inbox (bot_id, update_id, received_at, disposition)
    select bot_id, update_id, instant, 'job' from t where update_id is not null
    on conflict (bot_id, update_id) do nothing
    returning bot_id, update_id
), unblocked as (
    update postrider.chat c set blocked_at = null
    where c.ctid = any(array(
        select b.place from t
        cross join lateral (select c.ctid as place from postrider.chat c
                            where c.bot_id = t.bot_id and c.chat_id = t.chat_id and c.blocked_at is not null
                            for update skip locked) b))
), u as materialized (
    select t.*, coalesce(t.urgency, 2) as priority,
           row_number() over (partition by t.lane_id order by t.i desc) - 1 as later
    from t
    where t.update_id is null or (t.bot_id, t.update_id) in (select bot_id, update_id from added)
), l as materialized (
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
              node_id is null and (wants_mail or mailbox = 'interrupt') as wakes_parked
), x as materialized (
    select s.*, nextval('postrider.number') as job_id
    from (select u.*, r.epoch, r.arrivals - u.later as place,
                 r.asked = 'interrupt' as interrupts, r.wakes_parked,
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
), m as (
    insert into postrider.message (lane_id, job_id, conversation_id, created_at, telegram_message_id, position, chat_id,
                                   thread_id, sender_id, reply_to, sent_at, role, id, sender_name, content, origin, sender_chat_id,
                                   author, number_elsewhere)
    select lane_id, job_id, conversation_id, instant, telegram_message_id, 0, chat_id,
           thread_id, sender_id, reply_to, to_timestamp(sent_at), role, id, sender_name, content, origin, sender_chat_id, author,
           number_elsewhere
    from x where role is not null
)
select t.i, case when x.job_id is null and t.lane_may_go is null and t.i = any(array(select i from u)) then postrider.lane_went()
                 else x.job_id end,
       x.lane_id, x.conversation_id, x.place, x.epoch, x.leased, coalesce(x.interrupts, false), x.mailbox, x.wakes_parked
from t left join x on x.i = t.i
