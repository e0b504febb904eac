-- What is sent to conversations of the chat API, and done to it there; and what of a history is counted.

create or replace function postrider.was_said(role text, detail jsonb) returns boolean language sql immutable parallel safe as $$
    select role = 'user' or role = 'assistant' and detail -> 'calls' is null
$$;
comment on function postrider.was_said(text, jsonb) is
    'whether a message is one of those that are counted in a history: what a person or the assistant said, not a call of a tool or its result';

-- Rows from before origins were stored have none.
create or replace function postrider.origin_of(m postrider.message) returns text language sql immutable parallel safe as $$
    select coalesce(m.origin, case m.role when 'user' then 'person' when 'system' then 'engine' else 'agent' end)
$$;
comment on function postrider.origin_of(postrider.message) is 'who said a message: person, agent, engine or node; of an older one by its role';

create or replace function postrider.author_of(m postrider.message) returns jsonb language sql stable parallel safe as $$
    select nullif(jsonb_strip_nulls(jsonb_build_object('id', m.sender_id, 'chat_id', m.sender_chat_id, 'name', m.sender_name))
                  || coalesce(m.author, '{}'), '{}')
$$;
comment on function postrider.author_of(postrider.message) is
    'what is known of a message''s author and of how it came: id, chat_id (in whose name), name, and the members of the column author; null = nothing';

-- A message that stands in the history already (at `place` of its job) gets its number, and is there from then on. Any other one gets a row, behind what was
-- said in its job, and in the conversation 0: people read it, no model does. Its place is odd: those of the history are even
-- (agent/flow/run/message_place.hpp), and what is said later finds its own one free. The same job sends the same key once.
create or replace function postrider.conversation_send(
    conversation uuid, job bigint, place bigint, key text, id text, content text, shown jsonb, origin text default null
) returns bigint language plpgsql as $$
declare
    lane bigint;
    number bigint;
begin
    if place is not null then
        select c.lane_id into lane from postrider.api_conversation c where c.id = conversation;
        update postrider.message m
        set telegram_message_id = nextval('postrider.number'), shown = conversation_send.shown, delivery = 'sent'
        where m.lane_id = lane and m.job_id = job and m.position = place and m.conversation_id <> 0 and m.telegram_message_id is null
        returning m.telegram_message_id into number;
        -- Sent before, and perhaps changed since.
        return coalesce(number, (select m.telegram_message_id from postrider.message m
                                 where m.lane_id = lane and m.job_id = job and m.position = place and m.conversation_id <> 0));
    end if;
    -- Another lane's job sends it: a deletion waits for the row, or the row is gone.
    select c.lane_id into lane from postrider.api_conversation c where c.id = conversation for key share;
    while lane is not null and number is null loop
        select m.telegram_message_id into number from postrider.message m
        where m.lane_id = lane and m.job_id = job and m.position > 0 and m.shown ->> 'key' = key;
        exit when found;
        -- Another one of the job may take the place meanwhile.
        insert into postrider.message (lane_id, job_id, conversation_id, position, telegram_message_id, role, id, content, shown, origin,
                                       beside)
        select lane, job, 0, (coalesce(max(m.position), 0) + 1) | 1, nextval('postrider.number'), 'assistant', conversation_send.id,
               conversation_send.content, conversation_send.shown || jsonb_build_object('key', key), conversation_send.origin, true
        from postrider.message m where m.lane_id = lane and m.job_id = job and m.position >= 0
        on conflict do nothing
        returning telegram_message_id into number;
    end loop;
    return number;
end $$;
comment on function postrider.conversation_send(uuid, bigint, bigint, text, text, text, jsonb, text) is
    'for the server: a message to a conversation of the chat API: its number; null: there is no such conversation, or no such row. Twice equals once';

-- Members of `change` that are null go. A message of the person is known by the number of its turn. A text in the history
-- stays as the model said it: another text is kept beside it, and shown.
create or replace function postrider.conversation_change(
    conversation uuid, number bigint, only_own boolean, content text, change jsonb
) returns boolean language plpgsql as $$
begin
    update postrider.message m
    set content = case when m.conversation_id = 0 then coalesce(conversation_change.content, m.content) else m.content end,
        shown = jsonb_strip_nulls(coalesce(m.shown, '{}') || change
            || case when m.conversation_id <> 0 and conversation_change.content is not null
                    then jsonb_build_object('text', conversation_change.content) else '{}' end
            || case when only_own then jsonb_build_object('edited_at', postrider.iso(postrider.now())) else '{}' end)
    from (
        select x.lane_id, x.job_id, x.position
        from postrider.api_conversation c
        cross join lateral (select m.* from postrider.message m
                            where m.lane_id = c.lane_id order by m.job_id desc, m.position desc limit 500) x
        where c.id = conversation and (x.telegram_message_id = number or (x.job_id = number and x.position = 0))
          and (x.role = 'assistant' or not only_own) and not coalesce(x.shown ? 'removed', false)
        limit 1) x
    where m.lane_id = x.lane_id and m.job_id = x.job_id and m.position = x.position;
    return found;
end $$;
comment on function postrider.conversation_change(uuid, bigint, boolean, text, jsonb) is
    'for the server: changes one of a conversation''s newest 500 messages; only_own: it is an edit, of what we sent. False: there is no such message';

-- A row's xmin among all transactions there ever were: the nearest to the snapshot that ends with its 32 bits. So one that was written
-- after the snapshot comes out as later; so may one that was written 2^31 transactions before it, which nobody asks about.
create or replace function postrider.full_xid(version xid, seen pg_snapshot) returns xid8 language sql immutable parallel safe as $$
    select greatest(3, x.next - x.back + case when x.back >= 2147483648 then 4294967296 else 0 end)::text::xid8
    from (select n.next, (n.next - version::text::bigint) & 4294967295 as back
          from (select pg_snapshot_xmax(seen)::text::bigint as next) n) x
$$;
comment on function postrider.full_xid(xid, pg_snapshot) is 'the transaction that wrote a row, to be compared with the snapshot';

create or replace function postrider.reply_of(lane bigint, turn bigint) returns text language sql stable parallel safe as $$
    select coalesce(r.shown ->> 'text', r.content) from postrider.message r
    where r.lane_id = lane and r.job_id = turn and r.role = 'assistant' and r.content <> ''
      and r.conversation_id <> 0 and not coalesce(r.shown ? 'removed', false)
    order by r.position desc limit 1
$$;
comment on function postrider.reply_of(bigint, bigint) is
    'what the assistant said last in a turn of a conversation, as it stands there now; null where it said nothing';

create or replace function postrider.history_lane(j postrider.job) returns bigint language sql stable parallel safe as $$
    select coalesce((case when j.input ? 'command' then j.input ->> 'lane' end)::bigint, j.lane_id)
$$;
comment on function postrider.history_lane(postrider.job) is
    'for the functions of this schema: the lane whose history has what a turn says; a command has a lane of its own next to it';

-- A conversation of a chat has a number; to the outside it is named as one of the chat API is. The same number gives the same UUID.
create or replace function postrider.conversation_uuid(conversation bigint) returns uuid language sql immutable parallel safe as $$
    select (left(h, 12) || '4' || substr(h, 14, 3) || substr('89ab', 1 + ascii(substr(h, 17, 1)) % 4, 1) || substr(h, 18))::uuid
    from (select encode(sha256(convert_to('postrider conversation ' || conversation, 'UTF8')), 'hex') as whole) w,
         lateral (select left(w.whole, 32) as h) x
$$;
comment on function postrider.conversation_uuid(bigint) is 'the name (UUID, version 4) of a chat''s conversation, by its number';

-- The newest message with the question's buttons; one that is answered in words alone has none. A question from before the message
-- that is answered by the turn is the one that this message answers.
create or replace function postrider.question_of(lane bigint, turn bigint, after bigint) returns jsonb language sql stable as $$
    select jsonb_build_object('message', m.id, 'text', coalesce(m.shown ->> 'text', m.content),
                              'buttons', coalesce(m.shown -> 'buttons', '[]'))
    from postrider.wait w
    join postrider.question q on q.question_id = w.match
    join postrider.message m on m.lane_id = lane and m.job_id = turn
    where w.job_id = turn and w.type = 'press' and q.until_at > postrider.now()
      and m.role = 'assistant' and m.telegram_message_id > question_of.after and m.shown is not null and not m.shown ? 'removed'
    order by position(q.question_id in m.shown::text) > 0 desc, m.telegram_message_id desc limit 1
$$;
comment on function postrider.question_of(bigint, bigint, bigint) is
    'what a turn of a conversation asks and waits for, asked after that number: its message, text and buttons; null where it asks nothing';

create or replace function postrider.ended_turn(turn bigint)
returns table (job_id bigint, xid xid, state text, error_class text, answered_by bigint, reply text, finished_at text)
language sql stable parallel safe as $$
    select j.job_id, j.xmin, j.state, j.error_class,
           coalesce(j.output ->> 'coalesced_into', j.output ->> 'routed_to')::bigint,
           postrider.reply_of(postrider.history_lane(j), j.job_id), postrider.iso(j.finished_at)
    from postrider.job j where j.job_id = turn and j.finished_at is not null
$$;
comment on function postrider.ended_turn(bigint) is 'how a turn of a conversation ended, and the transaction that wrote so; no row while it goes on';

-- Messages and questions go at once; the record of its turns stays as long as other jobs do, and their lane with it
-- (prune_lanes). Nothing is taken from under a worker: while one has a turn, or is to roll one back, nothing is done. Locks as in
-- job_operations.sql.
create or replace function postrider.conversation_delete(conversation uuid, owner bigint) returns text language plpgsql as $$
declare
    c postrider.api_conversation;
    j postrider.job;
begin
    perform postrider.bound_transaction();
    perform from postrider.lane l join postrider.api_conversation x using (lane_id)
    where x.id = conversation and x.user_id = owner for no key update of l;
    select * into c from postrider.api_conversation x where x.id = conversation and x.user_id = owner;
    if not found then return 'not_found'; end if;
    perform from postrider.lane_run r where r.lane_id = c.lane_id for update;
    if exists (select from postrider.lane_run r where r.lane_id = c.lane_id and r.node_id is not null)
       or exists (select from postrider.job x where x.lane_id = c.lane_id and x.finished_at is null
                                                and (x.asked is not null or x.rolling_back is not null)) then
        return 'running';
    end if;
    for j in select * from postrider.job x where x.lane_id = c.lane_id and x.finished_at is null order by x.job_id for update loop
        perform postrider.job_drop(j);
        -- Whether it was sent is no question any more.
        update postrider.effect e set state = 'failed' where e.job_id = j.job_id and e.kind = 'chat.send' and e.state = 'unknown';
    end loop;
    delete from postrider.api_conversation x where x.lane_id = c.lane_id;
    delete from postrider.question q where q.place = 'chat:' || conversation;
    delete from postrider.approval a where a.lane_id = c.lane_id and a.created_at >= c.created_at;
    delete from postrider.event e where e.lane_id = c.lane_id;
    delete from postrider.wait w where w.lane_id = c.lane_id;
    delete from postrider.message m where m.lane_id = c.lane_id;
    -- An arrival that has found the conversation waits for the row's lock, and then finds it closed.
    update postrider.lane_run r set closed = true where r.lane_id = c.lane_id;
    update postrider.lane l set paused_at = null where l.lane_id = c.lane_id and l.paused_at is not null;
    delete from postrider.schedule s
    where s.kind = 'reminder' and s.input ->> 'user' = owner::text and s.input ->> 'place' = 'chat:' || conversation;
    perform postrider.audit_append(c.lane_id, 'conversation_delete', null, 'conversation:' || conversation, '{}');
    return 'deleted';
end $$;
comment on function postrider.conversation_delete(uuid, bigint) is
    'for the server: deletes what was said in a conversation of the chat API, and ends turns that wait as cancelled: deleted, running (nothing was done), not_found';
