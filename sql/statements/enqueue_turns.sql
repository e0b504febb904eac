-- Enqueues the jobs of updates, with the inbox row and the message of each.
--
-- Each part takes the rows of the one before it, which orders the locks: inbox rows by their keys, so
-- that two nodes never wait for each other, then lanes. "offset 0" keeps the look-up by index.
--
-- - t: the rows whose lane exists, each update once; a lane that must exist and does not fails the
--   statement. What is no update's is new.
-- - added: the updates that are new. The insert waits for a transaction that adds the same one.
-- - unblocked: clearing a chat's mark rides along. It comes behind the lanes, so it waits for nobody.
-- - u: the rows of new updates.
--
-- A new update whose lane went away between the look and the lock fails the statement, or its inbox
-- row would stand without a job.
--
-- $1: a row for each turn
-- returns: i, job, lane, conversation, arrival, epoch, leased, interrupts, mailbox, hears; the job is null for an update that was known
-- order: 30
with t as materialized (
    select distinct on (t.bot_id, t.update_id, case when t.update_id is null then t.i end)
           t.*, {{lane_of_job}}
    from json_to_recordset($1::json) as t(
        i int, lane_must_exist boolean, bot_id bigint, update_id bigint, lane_id bigint, kind text, node_id bigint, deadline bigint, urgency smallint,
        version int, input jsonb, id text, role text, content text, telegram_message_id bigint, chat_id bigint,
        thread_id bigint, sender_id bigint, sender_name text, reply_to bigint, sent_at bigint, origin text,
        sender_chat_id bigint, author jsonb)
    left join lateral (
        select l.conversation_id, l.bot_id, l.paused_at, l.mailbox, l.debounce_ms, l.debounce_most_ms
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
), {{enqueue}}, m as (
    insert into postrider.message (lane_id, job_id, conversation_id, created_at, telegram_message_id, position, chat_id,
                                   thread_id, sender_id, reply_to, sent_at, role, id, sender_name, content, origin, sender_chat_id,
                                   author)
    select lane_id, job_id, conversation_id, instant, telegram_message_id, 0, chat_id,
           thread_id, sender_id, reply_to, to_timestamp(sent_at), role, id, sender_name, content, origin, sender_chat_id, author
    from x where role is not null
)
select t.i, case when x.job_id is null and t.i = any(array(select i from u)) then postrider.lane_went()
                 else x.job_id end,
       x.lane_id, x.conversation_id, x.place, x.epoch, x.leased, coalesce(x.interrupts, false), x.mailbox, x.hears
from t left join x on x.i = t.i
