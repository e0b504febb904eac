-- Jobs begun anew: retry, restart, fork; and effects in doubt, which may have to be done again.
--
-- Records of earlier lives keep their rows with ~N behind the key, N being the life they ended with.

-- What people were asked by the record's steps from `since` on: a step NAME-id holds the question's id.
create or replace function postrider.asked_questions(job bigint, since int default 0) returns text[] language sql stable as $$
    select coalesce(array_agg(s.result #>> '{}'), '{}') from postrider.step s
    where s.job_id = job and s.seq >= since and position('~' in s.key) = 0 and s.key like '%-id' and jsonb_typeof(s.result) = 'string'
$$;
comment on function postrider.asked_questions(bigint, int) is 'for the functions of this schema: the questions that stand in a job''s record';

-- An approval is good for one run: what ran by it is not planned again by itself.
create or replace function postrider.approved_effects(job bigint) returns text[] language sql stable as $$
    select coalesce(array_agg(a.call), '{}') from postrider.approval a where a.question = any(postrider.asked_questions(job))
$$;
comment on function postrider.approved_effects(bigint) is 'for the functions of this schema: the keys of effects that wait for a person''s word';

-- The rows of steps from `since` on (by seq) get ~N behind their keys, and so does what they planned;
-- an effect whose intent stays and whose step goes is planned again, but for one that a person approved.
-- Questions that these steps asked are withdrawn. Messages that were not delivered go with their steps;
-- delivered ones stay in the history, before the turn's first.
create or replace function postrider.job_shelve(j postrider.job, since int) returns void language plpgsql as $$
declare
    life constant text := '~' || j.restarts + 1;
    approved constant text[] := postrider.approved_effects(j.job_id);
    questions constant text[] := postrider.asked_questions(j.job_id, since);
    cut timestamptz;
    kept timestamptz;
begin
    select min(s.started_at) filter (where s.seq >= since), max(s.ended_at) filter (where s.seq < since) into cut, kept
    from postrider.step s where s.job_id = j.job_id and position('~' in s.key) = 0;
    update postrider.effect e
    set key = e.key || life, settled_at = coalesce(e.settled_at, postrider.now()),
        state = case e.state when 'started' then 'unknown' when 'planned' then 'failed' else e.state end
    where e.job_id = j.job_id and position('~' in e.key) = 0
      and (kept is null or e.planned_at >= cut
           or e.key = any(approved) and not exists (select from postrider.step s where s.job_id = e.job_id and s.key = e.key
                                                                                   and s.seq < since));
    perform postrider.effect_again(e, life) from postrider.effect e
    where e.job_id = j.job_id and position('~' in e.key) = 0
      and not exists (select from postrider.step s where s.job_id = e.job_id and s.key = e.key and s.seq < since);
    update postrider.step s set key = s.key || life
    where s.job_id = j.job_id and position('~' in s.key) = 0 and s.seq >= since;
    perform postrider.withdraw_questions(j.lane_id, j.job_id, questions);

    -- In one order with lane_forget(), which has locked another lane.
    perform from postrider.message m
    where (m.lane_id, m.job_id, m.position) in (select o.lane_id, j.job_id, o.position from postrider.job_messages(j) o)
    order by m.lane_id, m.job_id, m.position for update;
    delete from postrider.message m using postrider.job_messages(j) o
    where m.lane_id = o.lane_id and m.job_id = j.job_id and m.position = o.position and o.role in ('assistant', 'tool')
      and (kept is null or o.created_at > kept) and o.delivery is distinct from 'sent';
    update postrider.message m set position = o.first - o.place
    from (select x.*, row_number() over (partition by x.lane_id order by x.position desc) as place
          from (select m.*, least(min(m.position) over (partition by m.lane_id), 0) as first from postrider.job_messages(j) m) x
          where (x.role = 'assistant' or x.detail ? 'pressed') and x.position >= 0 and (kept is null or x.created_at > kept)) o
    where m.lane_id = o.lane_id and m.job_id = j.job_id and m.position = o.position;
end $$;
comment on function postrider.job_shelve(postrider.job, int) is 'for the functions of this schema: puts a job''s record from a step on aside';

-- A tried effect leaves a row of its own behind.
create or replace function postrider.effect_again(e postrider.effect, life text) returns void language plpgsql as $$
begin
    if e.state in ('done', 'failed', 'unknown', 'started') then
        insert into postrider.effect (job_id, flagged, planned_at, settled_at, key, kind, class, state, request, result)
        values (e.job_id, e.flagged, e.planned_at, coalesce(e.settled_at, postrider.now()), e.key || life, e.kind, e.class,
                case e.state when 'started' then 'unknown' else e.state end, e.request, e.result);
    end if;
    update postrider.effect
    set state = 'planned', settled_at = null, result = null,
        flagged = e.flagged or (e.class in ('at_least_once', 'at_most_once', 'ask') and e.state in ('started', 'unknown'))
    where job_id = e.job_id and key = e.key;
end $$;
comment on function postrider.effect_again(postrider.effect, text) is 'for the functions of this schema: plans an effect anew';

-- Its deadline counts from now, as it did from its creation before.
create or replace function postrider.job_begin_again(j postrider.job) returns void language plpgsql as $$
begin
    perform postrider.job_end_waits(j.job_id);
    perform postrider.job_put_back(j, 'available', null);
    update postrider.job
    set restarts = restarts + 1, lost = 0, error_class = null, error = null, output = null, asked = null,
        rolling_back = null, begun_at = postrider.now(),
        deadline_at = postrider.now() + (deadline_at - coalesce(begun_at, created_at))
    where job_id = j.job_id;
end $$;
comment on function postrider.job_begin_again(postrider.job) is 'for the functions of this schema: a job''s next life';

create or replace function postrider.step_seq(job bigint, name text) returns int language sql as $$
    select min(s.seq) from postrider.step s
    where s.job_id = job and position('~' in s.key) = 0 and (s.key = name or s.key = name || '#1')
$$;
comment on function postrider.step_seq(bigint, text) is 'for the functions of this schema: the place of a step in the job''s record; null when it has none';

create or replace function postrider.no_step(job bigint, name text) returns postrider.operation_result language sql as $$
    select r.* from (select coalesce(string_agg(key, ', ' order by seq), 'none') as keys
        from (select distinct s.key, s.seq from postrider.step s where s.job_id = job and position('~' in s.key) = 0) k) a,
        postrider.job_answer(job, 'no_step', 'it has no step ' || name || '; its steps: ' || a.keys) r
$$;
comment on function postrider.no_step(bigint, text) is 'for the functions of this schema: refuses a step that is not in the record';

-- Of the flow that the job's input names: 'current', or a number; null when there is no such version.
create or replace function postrider.flow_version_for(j postrider.job, version text) returns int language sql as $$
    select v.version from postrider.flow f join postrider.flow_version v using (flow_id)
    where f.name = j.input ->> 'flow' and j.input ? 'version'
      and case flow_version_for.version when 'current' then v.version = f.published_version
               else v.version::text = flow_version_for.version end
$$;
comment on function postrider.flow_version_for(postrider.job, text) is 'for the functions of this schema: the version that a person means';

create or replace function postrider.no_version(j postrider.job, version text) returns postrider.operation_result language sql as $$
    select r.* from (select coalesce(j.input ->> 'flow', '') as flow, (
        select string_agg(v.version::text, ', ' order by v.version)
        from postrider.flow f join postrider.flow_version v using (flow_id) where f.name = j.input ->> 'flow') as versions) x,
        postrider.job_answer(j.job_id, 'no_version', case when not j.input ? 'flow' then 'it runs no flow'
            when no_version.version = 'current' then 'the flow ' || x.flow || ' has no current version; its versions: ' || coalesce(x.versions, 'none')
            else 'the flow ' || x.flow || ' has no version ' || no_version.version || '; its versions: ' || coalesce(x.versions, 'none') end) r
$$;
comment on function postrider.no_version(postrider.job, text) is 'for the functions of this schema: refuses a version that the flow does not have';

create or replace function postrider.job_pin(job bigint, version int) returns void language sql as $$
    update postrider.job j set input = jsonb_set(j.input - 'document', '{version}', to_jsonb(job_pin.version))
    where j.job_id = job_pin.job and job_pin.version is not null
$$;
comment on function postrider.job_pin(bigint, int) is 'for the functions of this schema: pins another version of the job''s flow';

create or replace function postrider.job_restart(job bigint, from_step text default null, version text default null)
returns postrider.operation_result language plpgsql as $$
declare
    j postrider.job := postrider.job_lock(job);
    pinned constant int := postrider.flow_version_for(j, version);
    since int := case when from_step is null then 0 else postrider.step_seq(job, from_step) end;
begin
    if j.job_id is null then return postrider.job_answer(job, 'not_found', 'there is no job ' || job); end if;
    if postrider.lane_closed(j.lane_id) then return postrider.job_answer(job, 'over', 'its conversation was deleted'); end if;
    if postrider.job_runs(j) then return postrider.job_answer(job, 'running', 'it runs: pause or cancel it first'); end if;
    if j.state in ('available', 'running', 'scheduled') then
        return postrider.job_answer(job, 'in_line', 'it is in line to run: there is nothing to restart');
    end if;
    if not postrider.job_is_over(j) and (j.asked in ('cancel', 'rollback') or j.rolling_back is not null) then
        return postrider.job_answer(job, 'cancelling', 'it is being cancelled');
    end if;
    if since is null then return postrider.no_step(job, from_step); end if;
    if from_step is not null and j.rolling_back is not null then
        return postrider.job_answer(job, 'rolled_back', 'it was rolled back: restart it from the top');
    end if;
    if version is not null and pinned is null then return postrider.no_version(j, version); end if;
    perform postrider.job_pin(job, pinned);
    perform postrider.job_shelve(j, since);
    perform postrider.job_begin_again(j);
    return postrider.job_acted(j, 'job_restart', subject => case when from_step is not null then 'step:' || from_step end);
end $$;
comment on function postrider.job_restart(bigint, text, text) is
    'runs a job that is over, parked or paused anew: from the top, or from a step on, with what is recorded before it; by another version of its flow if wished';

-- The steps whose failure ended the job: those after the last success, or else the last one that
-- failed as the job did.
create or replace function postrider.exhausted_steps(j postrider.job) returns text[] language sql as $$
    with s as materialized (
        select s.key, s.seq, s.outcome, s.error_class from postrider.step s
        where s.job_id = j.job_id and position('~' in s.key) = 0 and s.outcome in ('done', 'failed')
    )
    select coalesce(
        (select array_agg(key) from s where outcome = 'failed'
                                        and seq > coalesce((select max(seq) from s where outcome = 'done'), -1)),
        (select array[key] from s where outcome = 'failed' and error_class = j.error_class order by seq desc limit 1), '{}')
$$;
comment on function postrider.exhausted_steps(postrider.job) is 'for the functions of this schema: what a retry tries again';

create or replace function postrider.job_retry(job bigint, version text default null)
returns postrider.operation_result language plpgsql as $$
declare
    j postrider.job := postrider.job_lock(job);
    pinned constant int := postrider.flow_version_for(j, version);
    life constant text := '~' || j.restarts + 1;
    spent constant text[] := postrider.exhausted_steps(j);
    doubt text;
begin
    if j.job_id is null then return postrider.job_answer(job, 'not_found', 'there is no job ' || job); end if;
    if postrider.lane_closed(j.lane_id) then return postrider.job_answer(job, 'over', 'its conversation was deleted'); end if;
    if version is not null and pinned is null then return postrider.no_version(j, version); end if;
    if j.state = 'retryable' then
        perform postrider.job_pin(job, pinned);
        update postrider.step set next_at = postrider.now() where job_id = job and outcome = 'retry' and next_at > postrider.now();
        update postrider.job set due_at = postrider.now() where job_id = j.job_id;
        perform postrider.lane_refresh(j.lane_id);
        perform pg_notify('postrider', 'wake');
        return postrider.job_acted(j, 'job_retry', 'done', 'it tries again now');
    end if;
    if j.state <> 'failed' then
        return postrider.job_answer(job, 'not_failed', case when postrider.job_is_over(j)
            then 'it has not failed; restart runs it anew' else 'it has not failed' end);
    end if;
    if j.rolling_back is not null then
        return postrider.job_answer(job, 'rolled_back', 'it was rolled back: restart it from the top');
    end if;
    -- Without a final try of their own, or with one that is tried again.
    select string_agg(e.key, ', ' order by e.key) filter (where e.state in ('started', 'unknown')
                                                            and e.class in ('at_most_once', 'ask'))
    into doubt from postrider.effect e
    where e.job_id = job and position('~' in e.key) = 0
      and not exists (select from postrider.step s where s.job_id = job and s.key = e.key
                                                     and s.outcome <> 'retry' and not s.key = any(spent));
    if doubt is not null then
        return postrider.job_answer(job, 'in_doubt', 'nobody knows whether it did ' || doubt || ': settle that first: done, resend or drop');
    end if;
    perform postrider.effect_again(e, life) from postrider.effect e
    where e.job_id = job and position('~' in e.key) = 0 and e.state <> 'done'
      and not exists (select from postrider.step s where s.job_id = job and s.key = e.key
                                                     and s.outcome <> 'retry' and not s.key = any(spent));
    update postrider.step s set key = s.key || life where s.job_id = job and s.key = any(spent);
    -- What a person settled as done counts as such.
    insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome, result)
    select job, s.seq, s.started_at, s.ended_at, s.node_id, e.key, 'done', e.result
    from postrider.effect e join postrider.step s on s.job_id = job and s.key = e.key || life and s.outcome = 'failed'
    where e.job_id = job and e.key = any(spent) and e.state = 'done';
    perform postrider.job_pin(job, pinned);
    perform postrider.job_begin_again(j);
    return postrider.job_acted(j, 'job_retry');
end $$;
comment on function postrider.job_retry(bigint, text) is
    'a failed job goes on from its record, the step that ended it is tried anew, by another version of its flow if wished; a job that waits for a retry tries at once';

-- A flow's fork that answers nobody is no turn of its lane: it would take the place of messages that wait there, and
-- what it says would stand in the conversation. It has a lane of its own, and its input names the place in the original's
-- lane up to which it reads the conversation.
create or replace function postrider.silent_fork(j postrider.job, input jsonb) returns jsonb language sql immutable as $$
    select input || jsonb_build_object('silent', true, 'history', coalesce(
        j.input -> 'history', jsonb_build_object('lane', j.lane_id, 'before', j.job_id)))
$$;
comment on function postrider.silent_fork(postrider.job, jsonb) is 'for the functions of this schema: the input of a fork that answers nobody';

-- People know what a flow was given, not what stands around it in the job's input.
create or replace function postrider.fork_input(j postrider.job, replacement jsonb) returns jsonb language sql immutable as $$
    select case when replacement is null then j.input
                when jsonb_typeof(j.input -> 'flow') is distinct from 'string' then replacement
                when jsonb_typeof(replacement -> 'flow') = 'string' and jsonb_typeof(replacement -> 'version') = 'number' then replacement
                else j.input || jsonb_build_object('data', replacement) end
$$;
comment on function postrider.fork_input(postrider.job, jsonb) is
    'for the functions of this schema: the input of a fork; of a flow''s job what is given is its data, unless it names a flow and a version itself';

-- Its number is drawn while the lane's row is locked, like every job's.
create or replace function postrider.job_fork(
    job bigint, from_step text default null, input jsonb default null, version text default null, answer boolean default false)
returns postrider.operation_result language plpgsql as $$
declare
    j postrider.job := postrider.job_lock(job);
    upto constant int := postrider.step_seq(job, from_step);
    cut constant timestamptz := (select min(s.started_at) from postrider.step s
                                 where s.job_id = job and s.seq >= upto and position('~' in s.key) = 0);
    kept constant timestamptz := (select max(s.ended_at) from postrider.step s
                                  where s.job_id = job and s.seq < upto and position('~' in s.key) = 0);
    pinned constant int := postrider.flow_version_for(j, version);
    copied jsonb := postrider.fork_input(j, job_fork.input);
    runs_flow constant boolean := coalesce(jsonb_typeof(copied -> 'flow') = 'string', false);
    copy bigint;
    place bigint := j.lane_id;
begin
    if j.job_id is null then return postrider.job_answer(job, 'not_found', 'there is no job ' || job); end if;
    if from_step is not null and upto is null then return postrider.no_step(job, from_step); end if;
    if version is not null and pinned is null then return postrider.no_version(j, version); end if;
    if copied -> 'data' = job_fork.input and (copied ? 'chat' or copied ? 'conversation') then
        return postrider.job_answer(job, 'invalid', 'it answers a message, and no other data can take its place: run its flow by hand with them');
    end if;
    if answer and postrider.lane_closed(j.lane_id) then
        return postrider.job_answer(job, 'over', 'its conversation was deleted: fork it without an answer');
    end if;
    if runs_flow and answer and j.input ? 'history' then
        return postrider.job_answer(job, 'silent', 'it is a fork that answers nobody: fork the original, job '
            || coalesce(j.input #>> '{history,before}', '?'));
    end if;
    if runs_flow and not answer then
        copied := postrider.silent_fork(j, copied);
        copy := nextval('postrider.number');
        insert into postrider.lane (bot_id, lane_key)
        select l.bot_id, 'fork:' || copy from postrider.lane l where l.lane_id = j.lane_id
        returning lane_id into place;
    elsif runs_flow then
        copied := copied - 'silent' - 'history';
    end if;
    perform from postrider.lane_run r where r.lane_id = place for update;
    update postrider.lane_run r
    set ready_at = 'infinity', head = nextval('postrider.number'), mailbox = l.mailbox, priority = j.priority
    from postrider.lane l where l.lane_id = place and r.lane_id = place and r.ready_at is null;
    copy := coalesce(copy, nextval('postrider.number'));
    -- With a record it counts as begun: its first run must read it.
    insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, started_at, flow_version, code_version,
                               deadline_at, priority, forked_from, input)
    values (copy, place, j.conversation_id, 0, 'available', j.kind, case when kept is not null then postrider.now() end, j.flow_version, j.code_version,
            postrider.now() + (j.deadline_at - coalesce(j.begun_at, j.created_at)), j.priority, job, copied);
    perform postrider.job_pin(copy, pinned);
    insert into postrider.step (job_id, key, attempt, seq, outcome, result, error_class, error, error_data, policy, started_at, ended_at,
                                next_at, node_id)
    select copy, key, attempt, seq, outcome, result, error_class, error, error_data, policy, started_at, ended_at, next_at, node_id
    from postrider.step s where s.job_id = job and s.seq < upto and position('~' in s.key) = 0;
    -- In the order in which a worker's commit takes them.
    with offered as materialized (
        select c.digest from postrider.tool_catalog c
        where c.digest in (select jsonb_path_query(s.result, 'lax $.*.catalog') #>> '{}' from postrider.step s
                           where s.job_id = copy and jsonb_typeof(s.result) = 'object')
        order by c.digest for update)
    update postrider.tool_catalog c set used_at = postrider.now() from offered o where c.digest = o.digest;
    insert into postrider.effect (job_id, flagged, planned_at, settled_at, key, kind, class, state, request, result)
    select copy, flagged and done, planned_at, case when done then settled_at end, key, kind, class,
           case when done then state else 'planned' end, request, case when done then result end
    from (select e.*, exists (select from postrider.step s where s.job_id = job and s.key = e.key and s.seq < upto) as done
          from postrider.effect e where e.job_id = job and position('~' in e.key) = 0 and e.planned_at < cut) e
    where done or not key = any(postrider.approved_effects(job));
    insert into postrider.message (lane_id, job_id, conversation_id, created_at, position, role, delivery, id, content, detail,
                                   chat_id, thread_id, sender_id, sender_name, reply_to, sent_at, origin, sender_chat_id, author)
    select place, copy, m.conversation_id, m.created_at, m.position, m.role, m.delivery,
           left(replace(gen_random_uuid()::text, '-', ''), 21), m.content, m.detail,
           m.chat_id, m.thread_id, m.sender_id, m.sender_name, m.reply_to, m.sent_at, m.origin, m.sender_chat_id, m.author
    from postrider.message m
    where m.lane_id = j.lane_id and m.job_id = job and m.position >= 0
      and (m.role = 'user' and not coalesce(m.detail ? 'pressed', false) or m.created_at <= kept);
    j.job_id := copy;
    j.lane_id := place;
    perform postrider.job_put_back(j, 'available', null);
    perform postrider.audit_append(place, 'job_fork', copy, 'job:' || copy, json_build_object(
        'forked_from', job, 'from_step', from_step, 'version', version, 'other_input', job_fork.input is not null, 'answers', answer));
    return postrider.job_answer(copy, 'done', 'forked from ' || job);
end $$;
comment on function postrider.job_fork(bigint, text, jsonb, text, boolean) is
    'a new job with this one''s input (or another, of a flow''s job its data) and its record before the step; the original stays as it is. A flow answers nobody in it and runs in a lane of its own, unless answer is true';

-- Only who makes the changes knows what they mean to the flow.
create or replace function postrider.job_try(job bigint, from_step text, changes jsonb)
returns postrider.operation_result language plpgsql as $$
declare
    r postrider.operation_result := postrider.job_fork(job, from_step);
begin
    if r.done then
        update postrider.job j set input = j.input || changes where j.job_id = r.job_id;
    end if;
    return r;
end $$;
comment on function postrider.job_try(bigint, text, jsonb) is
    'for the server: a fork that answers nobody, with its record before the step, and with other members in its input';

-- An effect is in doubt when nobody knows of it, when its job ended without it, or when it may have
-- been done twice.
create or replace function postrider.effect_settle(job bigint, key text, settlement text) returns postrider.operation_result language plpgsql as $$
declare
    j postrider.job := postrider.job_lock(job);
    e postrider.effect;
begin
    if j.job_id is null then return postrider.job_answer(job, 'not_found', 'there is no job ' || job); end if;
    select * into e from postrider.effect x where x.job_id = job and x.key = effect_settle.key and position('~' in x.key) = 0;
    if e.job_id is null then
        return postrider.job_answer(job, 'not_found', 'it has no effect ' || key || '; its effects: ' || coalesce(
            (select string_agg(x.key, ', ' order by x.key) from postrider.effect x where x.job_id = job and position('~' in x.key) = 0), 'none'));
    end if;
    if settlement is null or settlement not in ('done', 'resend', 'drop') then
        return postrider.job_answer(job, 'invalid', 'an effect is settled as done, resend or drop');
    end if;
    if postrider.job_runs(j) then return postrider.job_answer(job, 'running', 'its job runs and may settle it: pause it first'); end if;
    if not (e.state = 'unknown' or e.flagged and e.state in ('done', 'failed')
            or e.state in ('started', 'planned') and postrider.job_is_over(j)) then
        return postrider.job_answer(job, 'not_in_doubt', 'it is ' || e.state ||
            case when e.state in ('started', 'planned') then ': its job resolves it when it goes on' else '' end);
    end if;
    if settlement = 'resend' then return postrider.effect_resend(j, e); end if;
    if settlement = 'drop' and e.state = 'done' then return postrider.job_answer(job, 'not_in_doubt', 'it was done and cannot be taken back'); end if;
    update postrider.effect x
    set state = case settlement when 'done' then 'done' else 'failed' end, flagged = false, settled_at = coalesce(settled_at, postrider.now())
    where x.job_id = job and x.key = e.key;
    return postrider.job_acted(j, 'effect_' || settlement, subject => 'effect:' || e.key);
end $$;
comment on function postrider.effect_settle(bigint, text, text) is
    'a person''s word on an effect in doubt: done = it happened (once), drop = it shall not happen, resend = do it (again)';

create or replace function postrider.effect_resend(j postrider.job, e postrider.effect) returns postrider.operation_result language plpgsql as $$
declare
    life constant text := '~' || j.restarts + 1;
begin
    if postrider.lane_closed(j.lane_id) then return postrider.job_answer(j.job_id, 'over', 'its conversation was deleted'); end if;
    if j.state = 'cancelled' then
        return postrider.job_answer(j.job_id, 'over', 'its job was cancelled: restart it from this step instead');
    end if;
    if j.rolling_back is not null or j.asked in ('cancel', 'rollback') then
        return postrider.job_answer(j.job_id, 'rolled_back', 'its job is rolled back');
    end if;
    perform postrider.effect_again(e, life);
    update postrider.step s set key = s.key || life where s.job_id = j.job_id and s.key = e.key;
    if postrider.job_is_over(j) then
        perform postrider.job_begin_again(j);
    else
        update postrider.job set restarts = restarts + 1, due_at = case when state <> 'paused' then postrider.now() end
        where job_id = j.job_id;
        perform postrider.lane_refresh(j.lane_id);
        perform pg_notify('postrider', 'wake');
    end if;
    return postrider.job_acted(j, 'effect_resend', 'done', case when j.state = 'paused' then 'it is done once its job is resumed' end,
                              'effect:' || e.key);
end $$;
comment on function postrider.effect_resend(postrider.job, postrider.effect) is 'for the functions of this schema: plans an effect in doubt anew and lets its job do it';
