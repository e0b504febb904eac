-- What a person can do to jobs; every surface calls these functions. lane_operations.sql has those for lanes,
-- bots and everything, restarts.sql those that begin a job anew. An unsafe state is refused with a code and a
-- reason, never by an exception.
--
-- Locks are taken in the order of docs/states.md: the lane's makes operators take turns, its lane_run row's
-- makes workers and arrivals wait. A running job is not changed but asked: its worker sees it at its next
-- step boundary.

create or replace function postrider.job_answer(job bigint, code text, detail text default null)
returns postrider.operation_result language sql as $$
    select job, null::text, code in ('done', 'asked', 'unchanged'),
           (select j.state from postrider.job j where j.job_id = job), code, detail
$$;
comment on function postrider.job_answer(bigint, text, text) is 'for the functions of this schema: what became of an operation on a job';

-- What was done, with the audit's row of it. The caller holds the locks.
create or replace function postrider.job_acted(was postrider.job, act text, code text default 'done', detail text default null, subject text default null)
returns postrider.operation_result language plpgsql as $$
declare
    present postrider.job;
begin
    select * into present from postrider.job j where j.job_id = was.job_id;
    perform postrider.audit_append(was.lane_id, act, was.job_id, coalesce(subject, 'job:' || was.job_id), json_build_object(
        'code', code,
        'before', json_strip_nulls(json_build_object('state', was.state, 'asked', was.asked, 'restarts', was.restarts)),
        'after', json_strip_nulls(json_build_object('state', present.state, 'asked', present.asked, 'restarts', present.restarts))));
    return postrider.job_answer(was.job_id, code, detail);
end $$;
comment on function postrider.job_acted(postrider.job, text, text, text, text) is
    'for the functions of this schema: what was done to a job, given as it was before; in the audit too';

create or replace function postrider.job_lock(job bigint) returns postrider.job language plpgsql as $$
declare
    found postrider.job;
    lane bigint;
begin
    perform postrider.bound_transaction();
    select j.lane_id into lane from postrider.job j where j.job_id = job;
    perform from postrider.lane l where l.lane_id = lane for no key update;
    perform from postrider.lane_run r where r.lane_id = lane for update;
    select * into found from postrider.job j where j.job_id = job for update;
    return found;
end $$;
comment on function postrider.job_lock(bigint) is 'for the functions of this schema: locks a job with its lane; null when there is none';

-- In its lane, and where it spoke in others.
create or replace function postrider.job_messages(j postrider.job) returns setof postrider.message language sql stable as $$
    select m.* from postrider.message m where m.lane_id = j.lane_id and m.job_id = j.job_id
    union all
    select m.* from postrider.message m where m.job_id = j.job_id and m.beside and m.lane_id <> j.lane_id
$$;
comment on function postrider.job_messages(postrider.job) is 'for the functions of this schema: what was said and heard in a job, whichever lane''s history has it';

-- What a cancelled job was about to say was never said: it leaves the history, unless a part of it may be there.
create or replace function postrider.drop_unsent(job bigint) returns void language sql as $$
    delete from postrider.message m
    using postrider.job j cross join lateral postrider.job_messages(j) o
    where j.job_id = drop_unsent.job and m.lane_id = o.lane_id and m.job_id = drop_unsent.job and m.position = o.position
      and o.delivery = 'pending'
      and not exists (select from postrider.effect e
                      where e.job_id = drop_unsent.job and position('~' in e.key) = 0
                        and (e.state in ('started', 'unknown')
                             or e.state = 'done' and exists (select from postrider.effect part
                                                             where part.job_id = e.job_id and part.state <> 'done'
                                                               and part.key <> e.key and split_part(part.key, '#', 1) = e.key)))
$$;
comment on function postrider.drop_unsent(bigint) is 'for the functions of this schema: takes messages that a cancelled job did not come to send out of the history';

create or replace function postrider.job_runs(j postrider.job) returns boolean language sql as $$
    select j.state = 'running'
       and exists (select from postrider.lane_run r where r.lane_id = j.lane_id and r.node_id is not null)
$$;
comment on function postrider.job_runs(postrider.job) is 'for the functions of this schema: whether a worker has it now, so that it can only be asked';

create or replace function postrider.job_is_over(j postrider.job) returns boolean language sql immutable as $$
    select j.state in ('completed', 'failed', 'cancelled')
$$;
comment on function postrider.job_is_over(postrider.job) is 'completed, failed or cancelled';

create or replace function postrider.job_ask(j postrider.job, request text) returns postrider.operation_result language plpgsql as $$
begin
    if j.asked = request then
        return postrider.job_answer(j.job_id, 'unchanged', 'its worker has been asked already');
    end if;
    update postrider.job set asked = request where job_id = j.job_id;
    update postrider.lane_run set asked = request where lane_id = j.lane_id;
    perform pg_notify('postrider', 'asked');
    return postrider.job_acted(j, 'job_' || request, 'asked',
        'it runs: its worker ' || case request when 'cancel' then 'cuts its step off and ends it' else 'does so at its next step boundary' end);
end $$;
comment on function postrider.job_ask(postrider.job, text) is 'for the functions of this schema: asks a running job''s worker';

-- Among the lane's live jobs again, in the state and at the time given.
create or replace function postrider.job_put_back(j postrider.job, as_state text, due timestamptz) returns void language plpgsql as $$
begin
    if as_state = 'scheduled' then
        perform postrider.timer_set(j.job_id, coalesce(due, postrider.now()));
        return;
    end if;
    perform postrider.lane_admit(array[j.job_id], array[j.lane_id], j.job_id, j.job_id);
    update postrider.job
    -- A parked job has a time, also where a resend took that of its wait.
    set state = as_state, due_at = case when as_state in ('waiting', 'retryable') then coalesce(due, postrider.now()) else due end,
        wait_reason = case when due is not null then wait_reason end, arrival = 0,
        finished_at = null, paused_at = null, paused_state = null, degraded = null, degraded_reason = null,
        waited = case when paused_at is null then waited
                      else postrider.with_waits(waited, postrider.ended_wait('pause', paused_at)) end
    where job_id = j.job_id;
    perform postrider.lane_refresh(j.lane_id);
    perform pg_notify('postrider', 'wake');
end $$;
comment on function postrider.job_put_back(postrider.job, text, timestamptz) is 'for the functions of this schema: makes a paused or finished job live again';

-- An effect that was begun and never told its end is unknown, and so is one that waits for its next try after one that may have
-- done it; what was not begun will not be.
create or replace function postrider.job_drop(j postrider.job) returns void language plpgsql as $$
declare
    doubt boolean;
begin
    perform postrider.job_end_waits(j.job_id);
    update postrider.job
    set (tokens_in, tokens_out, tokens_cached, cost_micro) = (
            select postrider.as_bigint(sum((s.usage ->> 'tokens_in')::bigint)), postrider.as_bigint(sum((s.usage ->> 'tokens_out')::bigint)),
                   postrider.as_bigint(sum((s.usage ->> 'tokens_cached')::bigint)),
                   nullif(postrider.as_bigint(sum((s.usage ->> 'cost_micro')::bigint)), 0)
            from postrider.step s where s.job_id = j.job_id and s.usage is not null),
        state = 'cancelled', finished_at = postrider.now(), due_at = null, wait_reason = null, asked = null,
        rolling_back = null, paused_at = null, paused_state = null,
        waited = case when paused_at is null then waited
                      else postrider.with_waits(waited, postrider.ended_wait('pause', paused_at)) end
    where job_id = j.job_id;
    update postrider.effect e
    set state = case when e.state = 'started' or exists (select from postrider.step s
                                                         where s.job_id = e.job_id and s.key = e.key and s.error_class = 'ambiguous')
                     then 'unknown' else 'failed' end,
        settled_at = postrider.now()
    where e.job_id = j.job_id and e.state in ('started', 'planned');
    doubt := exists (select from postrider.effect e
                     where e.job_id = j.job_id and e.state = 'unknown' and position('~' in e.key) = 0);
    perform postrider.drop_unsent(j.job_id);
    update postrider.message m set delivery = case when doubt then 'unknown' else 'failed' end
    from postrider.job_messages(j) o
    where m.lane_id = o.lane_id and m.job_id = j.job_id and m.position = o.position and o.delivery = 'pending';
    perform postrider.withdraw_questions(j.lane_id, j.job_id, postrider.asked_questions(j.job_id));
    delete from postrider.event where lane_id = j.lane_id and job_id = j.job_id;
    perform postrider.lane_refresh(j.lane_id);
end $$;
comment on function postrider.job_drop(postrider.job) is 'for the functions of this schema: ends a job that does not run as cancelled';

create or replace function postrider.job_cancel(job bigint, rollback boolean default false)
returns postrider.operation_result language plpgsql as $$
declare
    j postrider.job := postrider.job_lock(job);
begin
    if j.job_id is null then return postrider.job_answer(job, 'not_found', 'there is no job ' || job); end if;
    if j.state = 'cancelled' then return postrider.job_answer(job, 'unchanged', 'it was cancelled before'); end if;
    if postrider.job_is_over(j) then return postrider.job_answer(job, 'over', 'it has ' || j.state || ' already'); end if;
    if rollback and (j.rolling_back is not null or j.asked = 'rollback') then
        return postrider.job_answer(job, 'unchanged', 'it rolls back already');
    end if;
    if postrider.job_runs(j) then return postrider.job_ask(j, case when rollback then 'rollback' else 'cancel' end); end if;
    if not rollback or j.started_at is null then
        perform postrider.job_drop(j);
        return postrider.job_acted(j, 'job_cancel');
    end if;
    update postrider.job set asked = 'rollback' where job_id = j.job_id;
    if j.state = 'paused' then
        perform postrider.job_put_back(j, 'available', null);
    else
        update postrider.job set due_at = postrider.now() where job_id = j.job_id;
        perform postrider.lane_refresh(j.lane_id);
        perform pg_notify('postrider', 'wake');
    end if;
    return postrider.job_acted(j, 'job_rollback', 'asked', 'a worker rolls it back; then it is cancelled');
end $$;
comment on function postrider.job_cancel(bigint, boolean) is
    'ends a job that is not over; with rollback its rollback handlers run first. A running one ends at its next step boundary';

create or replace function postrider.job_pause(job bigint) returns postrider.operation_result language plpgsql as $$
declare
    j postrider.job := postrider.job_lock(job);
begin
    if j.job_id is null then return postrider.job_answer(job, 'not_found', 'there is no job ' || job); end if;
    if postrider.job_is_over(j) then return postrider.job_answer(job, 'over', 'it has ' || j.state || ' already'); end if;
    if j.state = 'paused' then return postrider.job_answer(job, 'unchanged', 'it was paused before'); end if;
    if j.asked in ('cancel', 'rollback') or j.rolling_back is not null then
        return postrider.job_answer(job, 'cancelling', 'it is being cancelled');
    end if;
    if postrider.job_runs(j) then return postrider.job_ask(j, 'pause'); end if;
    update postrider.job
    set state = 'paused', paused_at = postrider.now(), paused_state = nullif(j.state, 'running'), asked = null
    where job_id = j.job_id;
    perform postrider.lane_refresh(j.lane_id);
    return postrider.job_acted(j, 'job_pause');
end $$;
comment on function postrider.job_pause(bigint) is 'holds a job until job_resume; its lane goes on with the next';

create or replace function postrider.job_resume(job bigint) returns postrider.operation_result language plpgsql as $$
declare
    j postrider.job := postrider.job_lock(job);
begin
    if j.job_id is null then return postrider.job_answer(job, 'not_found', 'there is no job ' || job); end if;
    if postrider.job_is_over(j) then
        return postrider.job_answer(job, 'over', 'it has ' || j.state || ' already; restart begins it anew');
    end if;
    if j.state <> 'paused' and j.asked = 'pause' then -- its worker may be gone: the next one reads the job's row
        update postrider.job set asked = null where job_id = j.job_id;
        update postrider.lane_run set asked = case when postrider.lane_held(j.lane_id) then 'hold' end
        where lane_id = j.lane_id and asked = 'pause' and j.state = 'running';
        return postrider.job_acted(j, 'job_resume', 'done', 'it had not paused yet');
    end if;
    if j.state <> 'paused' then return postrider.job_answer(job, 'unchanged', 'it is not paused'); end if;
    -- An event that came while it was paused wakes it now.
    if exists (select from postrider.wait w join postrider.event e
                   on e.lane_id = w.lane_id and e.type = w.type and e.match is not distinct from w.match
               where w.job_id = job and coalesce(e.job_id, job) = job) then
        j.due_at := postrider.now();
    end if;
    perform postrider.job_put_back(j, coalesce(j.paused_state, 'available'), j.due_at);
    return postrider.job_acted(j, 'job_resume', 'done', case when postrider.lane_held(j.lane_id) then 'its lane is paused still' end);
end $$;
comment on function postrider.job_resume(bigint) is 'lets a paused job go on where it was; withdraws a pause that its worker has not seen yet';

create or replace function postrider.job_send_event(job bigint, type text, payload jsonb default null, match text default null)
returns postrider.operation_result language plpgsql as $$
declare
    j postrider.job := postrider.job_lock(job);
    waits boolean;
begin
    if j.job_id is null then return postrider.job_answer(job, 'not_found', 'there is no job ' || job); end if;
    if postrider.job_is_over(j) then return postrider.job_answer(job, 'over', 'it has ' || j.state || ' already'); end if;
    if coalesce(type, '') = '' then return postrider.job_answer(job, 'invalid', 'an event has a type'); end if;
    waits := exists (select from postrider.wait w where w.job_id = j.job_id and w.type = job_send_event.type
                                                    and w.match is not distinct from job_send_event.match);
    perform postrider.deliver_event(j.lane_id, job, type, payload, match);
    return postrider.job_acted(j, 'job_send_event', 'done', case when waits then 'it waited for this' else 'kept until it waits for this' end,
                              'event:' || left(type, 100));
end $$;
comment on function postrider.job_send_event(bigint, text, jsonb, text) is 'an event for this job; kept until the job waits for it';
