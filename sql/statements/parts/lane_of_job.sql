-- What a row of "u" (parts/enqueue.sql) says of its lane and of the time; l is the row of postrider.lane. The time, and what is
-- paused as a whole, are looked up once a statement.
l.conversation_id, l.mailbox, l.debounce_ms, coalesce(nullif(l.debounce_most_ms, 0), l.debounce_ms * 10) as most_ms,
           l.paused_at is not null
               or exists (select from postrider.pause p where p.bot_id is null)
               or coalesce(l.bot_id = any(array(select p.bot_id from postrider.pause p where p.bot_id is not null)), false)
               as paused,
           (select postrider.now()) as instant
