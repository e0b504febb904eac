-- Work for later: delayed, unique and debounced jobs, and recurring schedules.
--
-- A delayed job waits outside its lane: its row is there, its lane does not count it. When it is due the
-- scheduler, which runs in every node, admits it. Locks are taken in this order: job_key, timer,
-- lane_run, job; a schedule's row before all of them.

create table postrider.job_key (
    key    text primary key check (octet_length(key) between 1 and 500),
    job_id bigint not null
);
comment on table postrider.job_key is 'the keys of unique and debounced jobs, each with its newest job; a key is free once that job is over';

create table postrider.schedule (
    name       text primary key check (octet_length(name) between 1 and 200 and name !~ '[[:cntrl:]]'),
    kind       text not null check (octet_length(kind) between 1 and 200),
    input      jsonb,
    lane_key   text check (octet_length(lane_key) between 1 and 500),
    cron       text,
    at         timestamptz check (at between '1970-01-01Z' and '9999-01-01Z'),
    timezone   text not null default 'UTC',
    missed     text not null default 'once' check (missed in ('skip', 'once', 'all')),
    overlap    text not null default 'queue' check (overlap in ('queue', 'skip')),
    created_at timestamptz not null default postrider.now(),
    next_at    timestamptz,
    last_at    timestamptz,
    last_job   bigint,
    runs       bigint not null default 0,
    paused_at  timestamptz,
    error      text,
    constraint schedule_cron_or_at check ((cron is null) <> (at is null))
);
create index schedule_next on postrider.schedule (next_at) where paused_at is null and error is null;
comment on table postrider.schedule is 'jobs that recur (cron) or run once at a time (at); insert by hand with name, kind, input and cron or at';
comment on column postrider.schedule.lane_key is 'the lane of its jobs; null = schedule:NAME. A key schedule:… is made when need be, any other lane must exist';
comment on column postrider.schedule.cron is 'minute hour day-of-month month day-of-week, or with seconds in front, or @daily and the like';
comment on column postrider.schedule.timezone is 'IANA name of the zone whose wall clock cron means';
comment on column postrider.schedule.missed is 'what becomes of times that passed a minute or more before any node saw them: skip, one run for all, or a run for each (the first hundred)';
comment on column postrider.schedule.overlap is 'when its last job is not over: queue the next one behind it, or skip that run';
comment on column postrider.schedule.next_at is 'null = the scheduler computes it; infinity = never again. Set it to postrider.now() for a run at once';
comment on column postrider.schedule.error is 'why it does not run; cleared by a change of its definition';

-- Whoever changes a schedule by hand need not know the scheduler's columns.
create function postrider.schedule_changed() returns trigger language plpgsql as $$
begin
    if (new.cron, new.at, new.timezone) is distinct from (old.cron, old.at, old.timezone)
       or (old.paused_at is not null and new.paused_at is null) then
        new.next_at := null;
    end if;
    new.error := null;
    return new;
end $$;
comment on function postrider.schedule_changed() is 'a changed or resumed schedule is computed anew: what it missed while it was paused is not made up for';
create trigger schedule_changed
    before update of kind, input, lane_key, cron, at, timezone, missed, overlap, paused_at on postrider.schedule
    for each row execute function postrider.schedule_changed();

-- A job that waits for its time.
create function postrider.job_put_off(lane bigint, kind text, input jsonb, due timestamptz, priority int default 2)
returns bigint language plpgsql as $$
declare
    number bigint := nextval('postrider.number');
begin
    insert into postrider.job (job_id, lane_id, conversation_id, arrival, kind, state, input, due_at, priority)
    select number, l.lane_id, l.conversation_id, 0, job_put_off.kind, 'scheduled', job_put_off.input, due,
           job_put_off.priority
    from postrider.lane l where l.lane_id = lane;
    if not found then return null; end if;
    insert into postrider.timer (job_id, due_at) values (number, due);
    return number;
end $$;
comment on function postrider.job_put_off(bigint, text, jsonb, timestamptz, int) is
    'for the functions of this schema: a job that is scheduled, with its timer; null when there is no such lane';

-- Delayed, unique, debounced. A live job under the key is found instead of made; with a debounce it takes the
-- new input and a new time while it is still scheduled (or held before its first run), and a job that
-- has begun is followed by another. The row of the key is locked first, so one key's arrivals queue up.
create function postrider.job_later(
    lane bigint, kind text, input jsonb, due timestamptz, unique_key text default null,
    debounce interval default null, longest_wait interval default null, priority int default 2)
returns table (job_id bigint, created boolean, due_at timestamptz) language plpgsql as $$
#variable_conflict use_column
declare
    reset timestamptz := postrider.now() + debounce;
    first timestamptz := case when debounce is null then due
                              else least(reset, postrider.now() + longest_wait) end;
    holder bigint;
    found_job record;
    made bigint;
begin
    if unique_key is not null then
        insert into postrider.job_key as k (key, job_id) values (unique_key, 0)
        on conflict (key) do update set key = k.key returning k.job_id into holder;
        if debounce is not null then
            perform from postrider.timer t where t.job_id = holder for update;
            update postrider.job j
            set input = job_later.input, due_at = least(reset, j.created_at + longest_wait)
            where j.job_id = holder and j.run_no = 0 and j.state in ('scheduled', 'paused')
            returning j.job_id, j.due_at into found_job;
            if found then
                update postrider.timer t set due_at = found_job.due_at where t.job_id = holder;
            end if;
        else
            select j.job_id, j.due_at into found_job from postrider.job j
            where j.job_id = holder and j.finished_at is null;
        end if;
        if found_job.job_id is not null then
            return query select found_job.job_id::bigint, false, found_job.due_at::timestamptz;
            return;
        end if;
    end if;
    made := postrider.job_put_off(lane, kind, input, first, priority);
    if made is null then
        delete from postrider.job_key k where k.key = unique_key and k.job_id = 0;
        return;
    end if;
    update postrider.job_key k set job_id = made where k.key = unique_key;
    return query select made, true, first;
end $$;
comment on function postrider.job_later(bigint, text, jsonb, timestamptz, text, interval, interval, int) is
    'for the functions of this schema: a delayed, unique or debounced job; no row when there is no such lane';

create function postrider.enqueue_later(
    lane_key text, kind text, input jsonb default null, delay interval default '0', at timestamptz default null,
    unique_key text default null, debounce interval default null, longest_wait interval default null,
    priority int default 2)
returns bigint language plpgsql as $$
declare
    lane bigint := (select l.lane_id from postrider.lane l where l.lane_key = enqueue_later.lane_key);
begin
    if lane is null then
        raise exception 'there is no lane %', lane_key using errcode = 'no_data_found';
    end if;
    if debounce is not null and unique_key is null then
        raise exception 'a debounced job needs a unique_key' using errcode = 'invalid_parameter_value';
    end if;
    return (select l.job_id from postrider.job_later(
        lane, kind, input, coalesce(at, postrider.now() + delay), unique_key, debounce, longest_wait, priority) l);
end $$;
comment on function postrider.enqueue_later(text, text, jsonb, interval, timestamptz, text, interval, interval, int) is
    'a job for later, by hand: after a delay or at a time; with unique_key at most one live job; with debounce every call puts it off again, '
    'but not beyond longest_wait. Returns the job''s id';

create function postrider.timer_set(job bigint, due timestamptz) returns boolean language plpgsql as $$
begin
    perform from postrider.timer t where t.job_id = job for update;
    update postrider.job j set state = 'scheduled', due_at = due, arrival = 0, wait_reason = null, paused_at = null, paused_state = null
    where j.job_id = job and j.run_no = 0 and j.state in ('scheduled', 'paused');
    if not found then return false; end if;
    insert into postrider.timer (job_id, due_at) values (job, due)
    on conflict (job_id) do update set due_at = excluded.due_at;
    return true;
end $$;
comment on function postrider.timer_set(bigint, timestamptz) is
    'puts a scheduled job, or a paused one that never ran, off until then; false when it is neither';

-- Admits up to `most` jobs whose time has come, lanes in order. A job that is its lane's first gets the arrival
-- number 1, as if it had been enqueued now; any other gets 0, which is never the last one''s.
create function postrider.timers_admit(most int) returns int language plpgsql as $$
declare
    due bigint[];
begin
    due := array(select t.job_id from postrider.timer t where t.due_at <= postrider.now()
                 order by t.due_at limit most for update skip locked);
    delete from postrider.timer t where t.job_id = any(due);
    perform postrider.lane_admit(w.job_id, w.lane_id)
    from (select j.job_id, j.lane_id from postrider.job j
          where j.job_id = any(due) and j.state = 'scheduled' order by j.lane_id, j.job_id) w;
    update postrider.job j
    set state = 'available', conversation_id = l.conversation_id, arrival = (r.arrivals = 1)::int,
        due_at = least(j.due_at, postrider.now())
    from postrider.lane l, postrider.lane_run r
    where j.job_id = any(due) and j.state = 'scheduled' and l.lane_id = j.lane_id and r.lane_id = j.lane_id;
    perform postrider.lane_refresh(w.lane_id)
    from (select distinct j.lane_id from postrider.job j where j.job_id = any(due) order by 1) w;
    return cardinality(due);
end $$;
comment on function postrider.timers_admit(int) is 'for the scheduler: jobs whose time has come join their lanes; returns how many timers ended';

-- Runs of a schedule whose row the caller has locked, and its next time (null = never again).
create function postrider.schedule_run(which text, times timestamptz[], next timestamptz)
returns void language plpgsql as $$
declare
    s postrider.schedule;
    key text;
    lane bigint;
    t timestamptz;
begin
    select * into strict s from postrider.schedule where name = which;
    key := coalesce(s.lane_key, 'schedule:' || s.name);
    if key like 'schedule:%' then
        insert into postrider.lane (lane_key) values (key) on conflict do nothing;
    end if;
    select l.lane_id into lane from postrider.lane l where l.lane_key = key;
    if not found then
        update postrider.schedule set error = 'there is no lane ' || key where name = which;
        return;
    end if;
    foreach t in array times loop
        if s.overlap = 'skip' and exists (select from postrider.job j
                                          where j.job_id = s.last_job and j.finished_at is null) then
            continue;
        end if;
        s.last_job := postrider.job_put_off(lane, s.kind, s.input, t);
        s.last_at := t;
        s.runs := s.runs + 1;
    end loop;
    update postrider.schedule
    set next_at = coalesce(next, 'infinity'), last_at = s.last_at, last_job = s.last_job, runs = s.runs
    where name = which;
end $$;
comment on function postrider.schedule_run(text, timestamptz[], timestamptz) is 'for the scheduler: the jobs of these times and the next time, in one commit';

-- Locked first, judged in a second statement: a key that was taken meanwhile is seen to be.
create function postrider.job_keys_prune(most int) returns int language plpgsql as $$
declare
    taken text[];
    gone int;
begin
    taken := array(select k.key from postrider.job_key k
                   where not exists (select from postrider.job j where j.job_id = k.job_id and j.finished_at is null)
                   limit most for update skip locked);
    delete from postrider.job_key k
    where k.key = any(taken)
      and not exists (select from postrider.job j where j.job_id = k.job_id and j.finished_at is null);
    get diagnostics gone = row_count;
    return gone;
end $$;
comment on function postrider.job_keys_prune(int) is 'for the scheduler: forgets keys whose job is over; returns how many';

create view postrider.delayed_jobs as
select j.job_id, l.lane_key, j.kind, j.due_at, j.due_at - postrider.now() as due_in, j.created_at, k.key as unique_key
from postrider.timer t
join postrider.job j using (job_id)
join postrider.lane l using (lane_id)
left join postrider.job_key k on k.job_id = j.job_id
where j.state = 'scheduled';
comment on view postrider.delayed_jobs is 'jobs whose time has not come: when it does, and their unique key';
