-- One person's words, cleared from every place where they stand. Each function does some rows in one transaction and says where to go on:
-- `goes_on` is what it takes as `after`, null at the end; `cleared` counts rows by table. Said again they clear what is left.
-- postrider erase calls them one after the other.
--
-- Ids stay: that there was a turn, what it cost, who approved what. So do the chains of the audit, which hold no words.

-- Theirs alone: the private chats with the bots, and the conversations of the chat API.
create or replace function postrider.lanes_of(person bigint) returns bigint[] language sql stable as $$
    select coalesce(array_agg(x.lane_id), '{}') from (
        select l.lane_id from postrider.lane l
        where l.bot_id = any(array(select b.bot_id from postrider.bot b)) and l.chat_id = person
        union
        select c.lane_id from postrider.api_conversation c where c.user_id = person) x
$$;
comment on function postrider.lanes_of(bigint) is 'the lanes in which a person alone speaks';

-- Which flow, where and for whom; not what was said.
create or replace function postrider.erased_input(input jsonb) returns jsonb language sql immutable parallel safe as $$
    select case when input is not null then coalesce((
        select jsonb_object_agg(m.key, m.value)
        from jsonb_each(case jsonb_typeof(input) when 'object' then input else '{}' end) m
        where m.key in ('flow', 'version', 'agent', 'trigger', 'bot', 'chat', 'thread', 'user', 'message', 'conversation', 'command',
                        'silent', 'history', 'after_failure', 'reminder', 'lane', 'memory_lane', 'place')), '{}') end
$$;
comment on function postrider.erased_input(jsonb) is 'a job''s input without words of people';

-- A turn that answers the person, whatever says something to their chat, or tells of such a turn's failure.
create or replace function postrider.job_is_of(person bigint, own bigint[], lane bigint, input jsonb) returns boolean language sql stable as $$
    select lane = any(own)
        or coalesce(postrider.number_in(input, 'user') = person, false)
        or coalesce(postrider.number_in(input, 'chat') = person, false)
        or exists (select from postrider.api_conversation c where c.user_id = person and c.id::text = job_is_of.input ->> 'conversation')
        -- What a job has read of a group's messages, theirs among them. An earlier page may have deleted these.
        or job_is_of.input ? 'memory_lane' and (
            exists (select from postrider.message m
                    where m.lane_id = postrider.number_in(job_is_of.input, 'memory_lane') and m.sender_id = person)
            or exists (select from postrider.job t
                       where t.lane_id = postrider.number_in(job_is_of.input, 'memory_lane')
                         and postrider.number_in(t.input, 'user') = person))
        or exists (select from postrider.job f where f.job_id = postrider.number_in(job_is_of.input #> '{data,execution}', 'id')
                                                 and postrider.number_in(f.input, 'user') = person)
$$;
comment on function postrider.job_is_of(bigint, bigint[], bigint, jsonb) is
    'for the functions of this schema: whether a job, by its lane and input, is a turn of the person or speaks to them alone';

-- As agent/talk/group_message.hpp writes it: whoever a message quotes, forwards, names or shares, and who joined.
create or replace function postrider.is_seen(seen jsonb, person bigint) returns boolean language sql immutable parallel safe as $$
    select seen is not null and (
        coalesce(postrider.number_in(seen -> 'reply', 'user') = person, false)
        or coalesce(seen #>> '{forward,kind}' = 'user' and postrider.number_in(seen -> 'forward', 'id') = person, false)
        or coalesce(postrider.number_in(seen -> 'contact', 'user') = person, false)
        or coalesce(postrider.number_in(seen -> 'person', 'user') = person, false)
        or coalesce(seen -> 'mentions' @> jsonb_build_array(jsonb_build_object('user', person)), false)
        or coalesce(seen -> 'people' @> jsonb_build_array(jsonb_build_object('user', person)), false))
$$;
comment on function postrider.is_seen(jsonb, bigint) is 'for erase_jobs: what a watched group saw tells of the person, in a message of somebody else';

-- What is not over is cancelled first. What a worker has is only asked to stop: it is counted as running, and is cleared the next time.
-- Locks as in job_operations.sql, lane by lane.
create or replace function postrider.erase_jobs(person bigint, after jsonb default null, most int default 1000, out goes_on jsonb, out cleared jsonb)
language plpgsql as $$
declare
    own constant bigint[] := postrider.lanes_of(person);
    looked_at constant bigint[] := array(
        select k.job_id from postrider.job k where k.job_id > coalesce((after ->> 0)::bigint, 0) order by k.job_id limit most);
    theirs bigint[] := '{}';
    answers bigint[] := '{}'; -- turns of others that took the person's message in
    answer bigint;
    running bigint := 0;
    found_job record;
    j postrider.job;
    jobs bigint;
    steps bigint;
    effects bigint;
    events bigint;
    messages bigint;
    seen bigint;
    questions bigint;
    outside jsonb;
    recalling bigint[];
begin
    if cardinality(looked_at) = most then goes_on := jsonb_build_array(looked_at[most]); end if;
    for found_job in
        select x.job_id from postrider.job x
        where x.job_id = any(looked_at) and postrider.job_is_of(person, own, x.lane_id, x.input)
        order by x.lane_id, x.job_id
    loop
        j := postrider.job_lock(found_job.job_id);
        if j.job_id is null then continue; end if;
        if j.finished_at is null then
            perform postrider.job_cancel(j.job_id);
            select * into j from postrider.job x where x.job_id = found_job.job_id;
        end if;
        answer := postrider.answering_job(j.job_id);
        if j.finished_at is null or exists (select from postrider.job x where x.job_id = answer and x.finished_at is null) then
            running := running + 1;
        else
            theirs := theirs || j.job_id;
            if answer <> j.job_id then answers := answers || answer; end if;
        end if;
    end loop;
    with gone as (
        delete from postrider.message m
        using (select x.lane_id, x.job_id from postrider.job x where x.job_id = any(theirs)
               union
               select postrider.number_in(x.input, 'lane'), x.job_id from postrider.job x
               where x.job_id = any(theirs) and x.input ? 'lane') t
        where m.lane_id = t.lane_id and m.job_id = t.job_id
        returning 1)
    select count(*) into messages from gone;
    -- Of a turn that answered several people at once what they said stays, but for the person's.
    with gone as (
        delete from postrider.message m
        using (select x.lane_id, x.job_id from postrider.job x where x.job_id = any(answers)) t
        where m.lane_id = t.lane_id and m.job_id = t.job_id and m.role <> 'user'
        returning 1)
    select messages + count(*) into messages from gone;
    with gone as (
        delete from postrider.event e
        where e.lane_id = any(array(select x.lane_id from postrider.job x where x.job_id = any(theirs))) and e.job_id = any(theirs)
        returning 1)
    select count(*) into events from gone;
    outside := postrider.outside_sessions(theirs);
    -- What turns of others recalled of the person's words, and what they asked a model with it.
    recalling := array(
        select distinct s.job_id from postrider.step s join postrider.job x on x.job_id = s.job_id
        where s.job_id = any(looked_at) and x.finished_at is not null and postrider.recalls_words_of(s.result::text, person));
    update postrider.step s set result = null
    where s.job_id = any(recalling) and postrider.recalls_words_of(s.result::text, person);
    -- A job that has read their messages asks on a flow's word, in a lane of its own.
    with gone as (
        delete from postrider.audit_content c
        using postrider.job x, postrider.audit a
        where x.job_id = any(looked_at)
          and (x.job_id = any(recalling) or x.job_id = any(theirs) and (x.input ? 'memory_lane' or x.kind = 'memory.summary'))
          and c.lane_id = x.lane_id and a.lane_id = c.lane_id and a.number = c.number and a.job_id = x.job_id
        returning 1)
    select count(*) into questions from gone;
    update postrider.step s
    set result = null, error = case when s.error is not null then 'erased' end
    where s.job_id = any(theirs || answers) and (s.result is not null or s.error <> 'erased');
    get diagnostics steps = row_count;
    update postrider.effect e set request = null, result = null
    where e.job_id = any(theirs || answers) and (e.request is not null or e.result is not null);
    get diagnostics effects = row_count;
    update postrider.job x
    set input = postrider.erased_input(x.input), output = null, wait_reason = null,
        error = case when x.error is not null then 'erased' end,
        rolling_back = x.rolling_back - 'output' - 'error'
    where x.job_id = any(theirs)
      and (x.input is distinct from postrider.erased_input(x.input) or x.output is not null or x.error <> 'erased'
           or x.wait_reason is not null or x.rolling_back ?| array['output', 'error']);
    get diagnostics jobs = row_count;
    -- Their words that somebody else replied to, and what a watched group saw of them.
    update postrider.job x set input = x.input - 'replied'
    where x.job_id = any(looked_at) and x.finished_at is not null
      and postrider.number_in(x.input -> 'replied', 'user') = person;
    -- And what somebody else forwarded of theirs, with the texts of its files.
    with forwarding as (
        update postrider.job x set input = x.input - 'forwarded' - 'file' - 'files'
        where x.job_id = any(looked_at) and x.finished_at is not null
          and postrider.number_in(x.input -> 'forwarded', 'user') = person
        returning x.job_id)
    update postrider.step s set result = null
    where s.job_id = any(array(select f.job_id from forwarding f)) and s.key ~ '(^|/)documents(#[0-9]+)?$' and s.result is not null;
    update postrider.job x set input = x.input - 'seen'
    where x.job_id = any(looked_at) and x.finished_at is not null and postrider.is_seen(x.input -> 'seen', person);
    update postrider.job x set output = null where x.job_id = any(answers) and x.output is not null;
    -- Digests of what they sent. Who sends it again is new to the node.
    delete from postrider.seen_item s where s.job_id = any(theirs || answers) and (s.flow, s.node, s.digest) in (
        select x.flow, x.node, x.digest from postrider.seen_item x where x.job_id = any(theirs || answers)
        order by x.flow, x.node, x.digest for update);
    get diagnostics seen = row_count;
    cleared := jsonb_build_object('job', jobs, 'step', steps, 'effect', effects, 'event', events, 'message', messages,
                                  'seen_item', seen, 'audit_content', questions, 'running', running)
               || case when outside <> '[]' then jsonb_build_object('outside', outside) else '{}' end;
end $$;
comment on function postrider.erase_jobs(bigint, jsonb, int) is
    'for postrider erase: clears a person''s turns among the next jobs, with their steps, effects, events, messages and seen items; running = left, since a worker has them';

-- What others' messages quote of the person, or forward from them: the ids of the messages stay.
create or replace function postrider.is_forwarded_from(author jsonb, person bigint) returns boolean language sql immutable parallel safe as $$
    select coalesce(author #>> '{forward,kind}' = 'user' and postrider.number_in(author -> 'forward', 'id') = person, false)
$$;
comment on function postrider.is_forwarded_from(jsonb, bigint) is 'for erase_messages: the message of that author is a forwarded one of the person';

create or replace function postrider.author_without(author jsonb, person bigint) returns jsonb language sql immutable parallel safe as $$
    select nullif(author
        - case when postrider.number_in(author, 'reply_user') = person then array['quote'] else '{}'::text[] end
        - case when postrider.is_forwarded_from(author, person) then array['forward'] else '{}'::text[] end, '{}')
$$;
comment on function postrider.author_without(jsonb, bigint) is 'for erase_messages: what is known of a message''s author and of how it came, without words and names of the person';

-- In groups their turns are known by who said something, and so are messages whose job is gone already.
create or replace function postrider.erase_messages(person bigint, after jsonb default null, most int default 5000, out goes_on jsonb, out cleared jsonb)
language plpgsql as $$
declare
    own constant bigint[] := postrider.lanes_of(person);
    looked bigint;
    gone bigint;
    summaries bigint;
begin
    with page as materialized (
        select m.lane_id, m.job_id, m.position, m.sender_id, m.author from postrider.message m
        where (m.lane_id, m.job_id, m.position) > (coalesce((after ->> 0)::bigint, 0), coalesce((after ->> 1)::bigint, 0),
                                                   coalesce((after ->> 2)::bigint, 0))
        order by m.lane_id, m.job_id, m.position limit most
    ), turn as materialized (
        select p.lane_id, p.job_id from page p where p.sender_id = person or p.lane_id = any(own) group by p.lane_id, p.job_id
    ), deleted as (
        delete from postrider.message m using turn t
        where m.lane_id = t.lane_id and m.job_id = t.job_id
          and not exists (select from postrider.job j where j.job_id = t.job_id and j.finished_at is null offset 0)
        returning m.lane_id, m.job_id
    ), quoting as (
        update postrider.message m
        set author = postrider.author_without(m.author, person),
            content = case when postrider.is_forwarded_from(m.author, person) then '' else m.content end,
            earlier = case when postrider.is_forwarded_from(m.author, person) then null else m.earlier end,
            detail = case when postrider.is_forwarded_from(m.author, person) then m.detail - 'documents' else m.detail end
        from page p
        where m.lane_id = p.lane_id and m.job_id = p.job_id and m.position = p.position
          and p.author is distinct from postrider.author_without(p.author, person)
          and not exists (select from turn t where t.lane_id = p.lane_id and t.job_id = p.job_id)
          and not exists (select from postrider.job j where j.job_id = p.job_id and j.finished_at is null offset 0)
        returning m.lane_id, m.job_id
    ), summarised as (
        delete from postrider.group_summary s
        using (select x.lane_id, min(x.job_id) as job_id
               from (select * from deleted union all select * from quoting) x group by x.lane_id) d
        where s.lane_id = d.lane_id and s.job_id >= d.job_id and s.content <> ''
        returning 1
    )
    select (select count(*) from page), (select count(*) from deleted) + (select count(*) from quoting),
           (select count(*) from summarised),
           (select jsonb_build_array(p.lane_id, p.job_id, p.position) from page p
            order by p.lane_id desc, p.job_id desc, p.position desc limit 1)
    into looked, gone, summaries, goes_on;
    update postrider.message m set content = ''
    where (m.lane_id, m.job_id, m.position) > (coalesce((after ->> 0)::bigint, 0), coalesce((after ->> 1)::bigint, 0),
                                               coalesce((after ->> 2)::bigint, 0))
      and (goes_on is null or (m.lane_id, m.job_id, m.position) <= ((goes_on ->> 0)::bigint, (goes_on ->> 1)::bigint, (goes_on ->> 2)::bigint))
      and m.role = 'tool' and postrider.recalls_words_of(m.content, person);
    update postrider.message m set detail = m.detail #- array['reactions', person::text]
    where (m.lane_id, m.job_id, m.position) > (coalesce((after ->> 0)::bigint, 0), coalesce((after ->> 1)::bigint, 0),
                                               coalesce((after ->> 2)::bigint, 0))
      and (goes_on is null or (m.lane_id, m.job_id, m.position) <= ((goes_on ->> 0)::bigint, (goes_on ->> 1)::bigint, (goes_on ->> 2)::bigint))
      and m.detail -> 'reactions' ? person::text;
    if looked < most then goes_on := null; end if;
    cleared := jsonb_build_object('message', gone)
               || case when summaries > 0 then jsonb_build_object('group_summary', summaries) else '{}' end;
end $$;
comment on function postrider.erase_messages(bigint, jsonb, int) is
    'for postrider erase: deletes a person''s messages among the next ones, with what was said in the same turn, and groups'' summaries that cover them, and clears what others'' messages quote or forward of the person; turns that are not over stay';

create or replace function postrider.erase_audit(person bigint, after jsonb default null, most int default 5000, out goes_on jsonb, out cleared jsonb)
language plpgsql as $$
declare
    own constant bigint[] := postrider.lanes_of(person);
    looked bigint;
    gone bigint;
    quoted bigint;
begin
    with page as materialized (
        select c.lane_id, c.number from postrider.audit_content c
        where (c.lane_id, c.number) > (coalesce((after ->> 0)::bigint, 0), coalesce((after ->> 1)::bigint, 0))
        order by c.lane_id, c.number limit most
    ), theirs as materialized (
        select p.lane_id, p.number from page p
        cross join lateral (select a.actor, a.job_id from postrider.audit a where a.lane_id = p.lane_id and a.number = p.number offset 0) a
        where p.lane_id = any(own) or a.actor = 'user:' || person
           -- A job that has read their messages asks on a flow's word.
           or a.actor like 'flow:%' and exists (
               select from postrider.job j
               where j.job_id = a.job_id and postrider.job_is_of(person, own, j.lane_id, j.input) offset 0)
    ), deleted as (
        delete from postrider.audit_content c using theirs t
        where c.lane_id = t.lane_id and c.number = t.number
        returning 1
    )
    select (select count(*) from page), (select count(*) from deleted),
           (select count(*) from page p join postrider.lane l using (lane_id)
            where l.chat_id < 0 and (p.lane_id, p.number) not in (select t.lane_id, t.number from theirs t)),
           (select jsonb_build_array(p.lane_id, p.number) from page p order by p.lane_id desc, p.number desc limit 1)
    into looked, gone, quoted, goes_on;
    if looked < most then goes_on := null; end if;
    cleared := jsonb_build_object('audit_content', gone, 'quoted', quoted);
end $$;
comment on function postrider.erase_audit(bigint, jsonb, int) is
    'for postrider erase: deletes what a person''s turns asked, among the next texts beside the audit; the chains stay valid. quoted = texts of others'' turns in groups, which may quote the person';

-- What is found by the person's id in a table that does not grow with what is said. Once the jobs are done: an approval and a
-- question belong to one.
create or replace function postrider.erase_rows(person bigint, after jsonb default null, most int default 0, out goes_on jsonb, out cleared jsonb)
language plpgsql as $$
declare
    own constant bigint[] := postrider.lanes_of(person);
    changed bigint;
begin
    cleared := '{}';
    -- First, and in the order in which requests claim them.
    perform from postrider.request_key k
    where k.scope = any(array(select 'POST /api/v1/conversations/' || c.id || '/messages' from postrider.api_conversation c where c.user_id = person))
    order by k.scope, k.key for update;
    delete from postrider.request_key k
    where k.scope = any(array(select 'POST /api/v1/conversations/' || c.id || '/messages' from postrider.api_conversation c where c.user_id = person));
    get diagnostics changed = row_count;
    cleared := cleared || jsonb_build_object('request_key', changed);
    -- Before their reminders: a task's due date and its reminder are written under this lock.
    perform from postrider.task_owner o where o.user_id = person for update;
    delete from postrider.schedule s where s.kind = 'reminder' and s.input ->> 'user' = person::text;
    get diagnostics changed = row_count;
    cleared := cleared || jsonb_build_object('reminder', changed);
    delete from postrider.task t where t.user_id = person;
    get diagnostics changed = row_count;
    cleared := cleared || jsonb_build_object('task', changed);
    delete from postrider.task_call c where c.user_id = person;
    get diagnostics changed = row_count;
    cleared := cleared || jsonb_build_object('task_call', changed);
    delete from postrider.mcp_session s where s.user_id = person;
    get diagnostics changed = row_count;
    cleared := cleared || jsonb_build_object('mcp_session', changed);
    update postrider.approval a set arguments = '{}'
    where (a.requester = person or a.lane_id = any(own)) and a.arguments::text <> '{}';
    get diagnostics changed = row_count;
    cleared := cleared || jsonb_build_object('approval', changed);
    delete from postrider.question q
    where q.user_id = person and not exists (select from postrider.job j where j.job_id = q.job_id and j.finished_at is null offset 0);
    get diagnostics changed = row_count;
    cleared := cleared || jsonb_build_object('question', changed);
    delete from postrider.event e where e.lane_id = any(own) and e.job_id is null;
    get diagnostics changed = row_count;
    cleared := cleared || jsonb_build_object('event', changed);
    delete from postrider.stranger s where s.user_id = person;
    get diagnostics changed = row_count;
    cleared := cleared || jsonb_build_object('stranger', changed);
    delete from postrider.person p where p.user_id = person;
    get diagnostics changed = row_count;
    cleared := cleared || jsonb_build_object('person', changed);
    delete from postrider.flow_data d where (d.flow, d.name, d.key) in (
        select x.flow, x.name, x.key from postrider.flow_data x where x.user_id = person
        order by x.flow, x.name, x.key for update);
    get diagnostics changed = row_count;
    cleared := cleared || jsonb_build_object('flow_data', changed);
    delete from postrider.flow_file f where f.file_id in (
        select x.file_id from postrider.flow_file x where x.user_id = person order by x.file_id for update);
    get diagnostics changed = row_count;
    cleared := cleared || jsonb_build_object('flow_file', changed);
    delete from postrider.message_count c where c.user_id = person;
    get diagnostics changed = row_count;
    cleared := cleared || jsonb_build_object('message_count', changed);
    -- Rejected updates are kept as they came: whose they are stands in their bytes alone.
    update postrider.inbox i set raw = null
    where i.disposition = 'rejected' and i.raw is not null and encode(i.raw, 'escape') ~ ('"id"\s*:\s*' || person || '\D');
    get diagnostics changed = row_count;
    cleared := cleared || jsonb_build_object('inbox', changed);
    -- Whoever holds one of their tokens or logins would see what comes next.
    update postrider.token t set name = '', revoked_at = coalesce(t.revoked_at, postrider.now())
    where t.user_id = person and (t.name <> '' or t.revoked_at is null);
    get diagnostics changed = row_count;
    cleared := cleared || jsonb_build_object('token', changed);
    delete from postrider.console_link l where l.user_id = person and l.used_at is null;
    get diagnostics changed = row_count;
    cleared := cleared || jsonb_build_object('console_link', changed);
    update postrider.console_session s set revoked_at = postrider.now(), expires_at = postrider.now()
    where s.user_id = person and s.revoked_at is null and s.expires_at > postrider.now();
    get diagnostics changed = row_count;
    cleared := cleared || jsonb_build_object('console_session', changed);
    cleared := cleared || postrider.erase_spam(person);
    cleared := cleared || postrider.erase_memories(person);
    cleared := cleared || postrider.erase_documents(person);
    perform pg_notify('postrider', 'erased'); -- sessions in the memory of a process
    perform postrider.audit_append(0, 'erase', null, 'user:' || person, cleared::json);
end $$;
comment on function postrider.erase_rows(bigint, jsonb, int) is
    'for postrider erase: clears a person''s reminders, tasks, approvals'' arguments, questions, bytes of rejected updates and the like, revokes their tokens, ends their sessions of the console, and says so in the audit';
