-- What a person can do to jobs; every surface calls these functions. 0010 has those for lanes, bots and
-- everything, 0011 those that begin a job anew. An unsafe state is refused with a code and a reason,
-- never by an exception.
--
-- Locks are taken in this order: the lane (so that operators take turns), its lane_run row (so that
-- workers and arrivals wait), the job. A running job is not changed but asked: its worker sees it at
-- its next step boundary.

create type postrider.operation_result as (job_id bigint, scope text, done boolean, state text, code text, detail text);
comment on type postrider.operation_result is
    'done: it is so, or a worker was asked; state: afterwards; code: done, asked, unchanged, or why it was refused; detail: for people';

alter table postrider.job
    add column paused_at timestamptz,
    add column paused_state text,
    add column begun_at timestamptz;
comment on column postrider.job.begun_at is 'when its present life began, if it was begun anew; its deadline counts from there';
comment on column postrider.job.paused_at is 'since when it is paused';
comment on column postrider.job.paused_state is 'the state it was paused in, which resuming gives back; null = available';
-- Of a column that running jobs never change, so that their updates stay HOT.
create index job_paused on postrider.job (paused_at) where paused_at is not null;

create function postrider.job_answer(job bigint, code text, detail text default null)
returns postrider.operation_result language sql as $$
    select job, null::text, code in ('done', 'asked', 'unchanged'),
           (select j.state from postrider.job j where j.job_id = job), code, detail
$$;
comment on function postrider.job_answer(bigint, text, text) is 'for the functions of this schema: what became of an operation on a job';

create function postrider.job_lock(job bigint) returns postrider.job language plpgsql as $$
declare
    found postrider.job;
    lane bigint;
begin
    select j.lane_id into lane from postrider.job j where j.job_id = job;
    perform from postrider.lane l where l.lane_id = lane for no key update;
    perform from postrider.lane_run r where r.lane_id = lane for update;
    select * into found from postrider.job j where j.job_id = job for update;
    return found;
end $$;
comment on function postrider.job_lock(bigint) is 'for the functions of this schema: locks a job with its lane; null when there is none';

create function postrider.job_runs(j postrider.job) returns boolean language sql as $$
    select j.state = 'running'
       and exists (select from postrider.lane_run r where r.lane_id = j.lane_id and r.node_id is not null)
$$;
comment on function postrider.job_runs(postrider.job) is 'whether a worker has it now, so that it can only be asked';

create function postrider.job_is_over(j postrider.job) returns boolean language sql immutable as $$
    select j.state in ('completed', 'failed', 'cancelled')
$$;
comment on function postrider.job_is_over(postrider.job) is 'completed, failed or cancelled';

create function postrider.job_ask(j postrider.job, what text) returns postrider.operation_result language plpgsql as $$
begin
    if j.asked = what then
        return postrider.job_answer(j.job_id, 'unchanged', 'its worker has been asked already');
    end if;
    update postrider.job set asked = what where job_id = j.job_id;
    update postrider.lane_run set asked = what where lane_id = j.lane_id;
    perform pg_notify('postrider', 'asked');
    return postrider.job_answer(j.job_id, 'asked', 'it runs: its worker does so at its next step boundary');
end $$;
comment on function postrider.job_ask(postrider.job, text) is 'for the functions of this schema: asks a running job''s worker';

-- Among the lane's live jobs again, in the state and at the time given.
create function postrider.job_put_back(j postrider.job, as_state text, due timestamptz) returns void language plpgsql as $$
begin
    if as_state = 'scheduled' then
        perform postrider.timer_set(j.job_id, coalesce(due, postrider.now()));
        return;
    end if;
    perform postrider.lane_admit(j.job_id, j.lane_id);
    update postrider.job
    set state = as_state, due_at = due, wait_reason = case when due is not null then wait_reason end, arrival = 0,
        finished_at = null, paused_at = null, paused_state = null
    where job_id = j.job_id;
    perform postrider.lane_refresh(j.lane_id);
    perform pg_notify('postrider', 'wake');
end $$;
comment on function postrider.job_put_back(postrider.job, text, timestamptz) is 'for the functions of this schema: makes a paused or finished job live again';

-- What was begun and never told its end is unknown; what was not begun will not be.
create function postrider.job_drop(j postrider.job) returns void language plpgsql as $$
declare
    doubt boolean := exists (select from postrider.effect e
                             where e.job_id = j.job_id and e.state in ('started', 'unknown') and position('~' in e.key) = 0);
begin
    update postrider.job
    set state = 'cancelled', finished_at = postrider.now(), due_at = null, wait_reason = null, asked = null,
        rolling_back = null, paused_at = null, paused_state = null
    where job_id = j.job_id;
    update postrider.effect
    set state = case state when 'started' then 'unknown' else 'failed' end, settled_at = postrider.now()
    where job_id = j.job_id and state in ('started', 'planned');
    update postrider.message set delivery = case when doubt then 'unknown' else 'failed' end
    where lane_id = j.lane_id and job_id = j.job_id and delivery = 'pending';
    delete from postrider.wait where job_id = j.job_id;
    delete from postrider.event where lane_id = j.lane_id and job_id = j.job_id;
    perform postrider.lane_refresh(j.lane_id);
end $$;
comment on function postrider.job_drop(postrider.job) is 'for the functions of this schema: ends a job that does not run as cancelled';

create function postrider.job_cancel(job bigint, rollback boolean default false)
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
    if not rollback or j.run_no = 0 then
        perform postrider.job_drop(j);
        return postrider.job_answer(job, 'done');
    end if;
    update postrider.job set asked = 'rollback' where job_id = j.job_id;
    if j.state = 'paused' then
        perform postrider.job_put_back(j, 'available', null);
    else
        update postrider.job set due_at = postrider.now() where job_id = j.job_id;
        perform postrider.lane_refresh(j.lane_id);
        perform pg_notify('postrider', 'wake');
    end if;
    return postrider.job_answer(job, 'asked', 'a worker rolls it back; then it is cancelled');
end $$;
comment on function postrider.job_cancel(bigint, boolean) is
    'ends a job that is not over; with rollback its rollback handlers run first. A running one ends at its next step boundary';

create function postrider.job_pause(job bigint) returns postrider.operation_result language plpgsql as $$
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
    set state = 'paused', paused_at = postrider.now(), paused_state = nullif(j.state, 'running') where job_id = j.job_id;
    perform postrider.lane_refresh(j.lane_id);
    return postrider.job_answer(job, 'done');
end $$;
comment on function postrider.job_pause(bigint) is 'holds a job until job_resume; its lane goes on with the next';

create function postrider.job_resume(job bigint) returns postrider.operation_result language plpgsql as $$
declare
    j postrider.job := postrider.job_lock(job);
begin
    if j.job_id is null then return postrider.job_answer(job, 'not_found', 'there is no job ' || job); end if;
    if postrider.job_is_over(j) then
        return postrider.job_answer(job, 'over', 'it has ' || j.state || ' already; job_restart begins it anew');
    end if;
    if j.state = 'running' and j.asked = 'pause' then
        update postrider.job set asked = null where job_id = j.job_id;
        update postrider.lane_run set asked = null where lane_id = j.lane_id and asked = 'pause';
        return postrider.job_answer(job, 'done', 'it had not paused yet');
    end if;
    if j.state <> 'paused' then return postrider.job_answer(job, 'unchanged', 'it is not paused'); end if;
    -- What came while it was paused wakes it now.
    if exists (select from postrider.wait w join postrider.event e
                   on e.lane_id = w.lane_id and e.type = w.type and e.match is not distinct from w.match
               where w.job_id = job and coalesce(e.job_id, job) = job) then
        j.due_at := postrider.now();
    end if;
    perform postrider.job_put_back(j, coalesce(j.paused_state, 'available'), j.due_at);
    return postrider.job_answer(job, 'done', case when postrider.lane_held(j.lane_id) then 'its lane is paused still' end);
end $$;
comment on function postrider.job_resume(bigint) is 'lets a paused job go on where it was; withdraws a pause that its worker has not seen yet';

create function postrider.job_send_event(job bigint, type text, payload jsonb default null, match text default null)
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
    return postrider.job_answer(job, 'done', case when waits then 'it waited for this' else 'kept until it waits for this' end);
end $$;
comment on function postrider.job_send_event(bigint, text, jsonb, text) is 'an event for this job; kept until the job waits for it';

-- The views. waiting_jobs says why a job does not run; only a lane's first live job can have a reason
-- of its own.
drop view postrider.dead_letters;
drop view postrider.job_overview;
drop view postrider.waiting_jobs;

create view postrider.waiting_jobs as
with x as (
    select j.*, r.node_id, r.ready_at, r.wait_reason as lane_reason, f.job_id as first, f.state as first_state
    from postrider.lane_run r
    cross join lateral (select j.job_id, j.state from postrider.job j
                        where j.lane_id = r.lane_id and j.job_id >= r.head
                          and j.state in ('available', 'running', 'waiting', 'retryable')
                        order by (j.state = 'running') desc, j.job_id limit 1) f
    join postrider.job j on j.lane_id = r.lane_id and j.job_id >= r.head
    where j.state in ('available', 'waiting', 'retryable')
    union all
    select j.*, null, null, null, j.job_id, j.state from postrider.job j where j.paused_at is not null and j.state = 'paused'
    union all
    select j.*, null, null, null, j.job_id, j.state from postrider.timer t join postrider.job j using (job_id)
    where j.state = 'scheduled'
), y as (
    select x.*, l.lane_key, l.paused_at as lane_paused_at, p.scope, p.paused_at as scope_paused_at,
           coalesce(x.due_at, x.ready_at) as due
    from x join postrider.lane l using (lane_id)
    left join lateral (select * from postrider.pause p where p.bot_id is null or p.bot_id = l.bot_id
                       order by p.bot_id nulls first limit 1) p on true
)
select job_id, lane_key, kind, state,
       coalesce(case when state = 'paused' then paused_at
                     when scope is not null then scope_paused_at
                     when lane_paused_at is not null then lane_paused_at
                     when first <> job_id then created_at
                     when state = 'waiting' and exists (select from postrider.wait w where w.job_id = y.job_id)
                         then (select min(w.since) from postrider.wait w where w.job_id = y.job_id)
                     when state in ('waiting', 'retryable')
                         then (select max(s.ended_at) from postrider.step s where s.job_id = y.job_id)
                     when due <= postrider.now() then due end, created_at) as since,
       case when state = 'paused' then 'it is paused'
            when scope = 'all' then 'everything is paused'
            when scope is not null then 'its bot is paused (' || scope || ')'
            when lane_paused_at is not null then 'its lane is paused'
            when first <> job_id and first_state = 'running' then 'job ' || first || ' of its lane runs'
            when first <> job_id then 'job ' || first || ' of its lane comes first (' || first_state || ')'
            when state = 'scheduled' then 'scheduled'
            when due <= postrider.now() then 'no free slot'
            when state = 'waiting' and exists (select from postrider.wait w where w.job_id = y.job_id)
                then (select string_agg('event ' || w.type || coalesce(' for ' || w.match, '') || ' until '
                                        || to_char(w.until_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"'), '; ' order by w.until_at)
                      from postrider.wait w where w.job_id = y.job_id)
            else coalesce(wait_reason, lane_reason, case state when 'waiting' then 'sleeps' else 'not yet' end) end as reason,
       due as ready_at
from y;
comment on view postrider.waiting_jobs is 'jobs that do not run, with the reason, since when it holds, and when the job is ready by itself';

create view postrider.job_overview as
select j.job_id, l.lane_key, j.kind, j.state, j.run_no, j.lost, j.created_at, j.started_at, j.finished_at,
       coalesce(j.finished_at, postrider.now()) - j.created_at as age,
       j.tokens_in, j.tokens_out, j.error_class, j.error, j.due_at, j.wait_reason, j.priority, j.restarts, j.forked_from,
       j.asked, j.deadline_at,
       case when j.finished_at is null and j.state <> 'running'
            then (select w.reason from postrider.waiting_jobs w where w.job_id = j.job_id) end as waiting_for
from postrider.job j join postrider.lane l using (lane_id);
comment on view postrider.job_overview is 'one line per job; waiting_for says why it waits';

create view postrider.dead_letters as
select job_id, lane_key, kind, finished_at, run_no, lost, error_class, error
from postrider.job_overview where state = 'failed';
comment on view postrider.dead_letters is 'failed jobs, kept until retention or retried by hand';

create or replace view postrider.lane_status as
select l.lane_id, l.lane_key, l.mailbox, l.paused_at,
       case when r.node_id is not null then 'running'
            when l.paused_at is not null or p.scope is not null then 'paused'
            when r.lane_id is null then 'idle'
            when r.ready_at > postrider.now() then 'waiting'
            else 'ready' end as status,
       r.node_id, r.epoch, r.ready_at, r.wait_reason,
       (select count(*) from postrider.job j where j.lane_id = l.lane_id and j.job_id >= r.head
                                               and j.finished_at is null) as live_jobs,
       case when p.scope is not null then p.scope when l.paused_at is not null then 'lane' end as paused_by, r.asked
from postrider.lane l left join postrider.lane_run r using (lane_id)
left join lateral (select p.scope from postrider.pause p where p.bot_id is null or p.bot_id = l.bot_id
                   order by p.bot_id nulls first limit 1) p on true;
comment on view postrider.lane_status is
    'every lane: idle, ready, waiting (until ready_at, because of wait_reason), running, or paused (by itself, its bot or everything)';

create or replace view postrider.effects_in_doubt as
select e.job_id, e.key, e.kind, e.class, e.state, e.flagged, e.planned_at, e.request, l.lane_key, j.state as job_state, e.result
from postrider.effect e join postrider.job j using (job_id) join postrider.lane l using (lane_id)
where position('~' in e.key) = 0
  and (e.state = 'unknown' or e.flagged or (e.state in ('started', 'planned') and j.finished_at is not null));
comment on view postrider.effects_in_doubt is
    'effects that may have happened twice (flagged) or of which nobody knows; effect_settle settles them';
