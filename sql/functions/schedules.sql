-- Work for later: delayed, unique and debounced jobs, and recurring schedules.
--
-- A delayed job waits outside its lane: its row is there, its lane does not count it. When it is due the
-- scheduler, which runs in every node, admits it. Locks are taken in the order of docs/states.md.

-- A person who changes a schedule by hand need not know the scheduler's columns.
create or replace function postrider.schedule_changed() returns trigger language plpgsql as $$
begin
    if (new.cron, new.at, new.timezone) is distinct from (old.cron, old.at, old.timezone)
       or (old.paused_at is not null and new.paused_at is null) then
        new.next_at := null;
    end if;
    new.error := null;
    return new;
end $$;
comment on function postrider.schedule_changed() is 'a changed or resumed schedule is computed anew: what it missed while it was paused is not made up for';
create or replace trigger schedule_changed
    before update of kind, input, lane_key, cron, at, timezone, missed, overlap, paused_at on postrider.schedule
    for each row execute function postrider.schedule_changed();

-- A job that waits for its time.
create or replace function postrider.job_put_off(
    lane bigint, kind text, input jsonb, due timestamptz, priority int default 2, time_limit interval default null)
returns bigint language plpgsql as $$
declare
    number bigint := nextval('postrider.number');
begin
    insert into postrider.job (job_id, lane_id, conversation_id, arrival, kind, state, input, due_at, priority, deadline_at)
    select number, l.lane_id, l.conversation_id, 0, job_put_off.kind, 'scheduled', job_put_off.input, due,
           job_put_off.priority, due + time_limit
    from (select * from postrider.lane l where l.lane_id = lane for key share) l -- so that it does not go
    where not postrider.lane_closed(lane);
    if not found then return null; end if;
    insert into postrider.timer (job_id, due_at) values (number, due);
    return number;
end $$;
comment on function postrider.job_put_off(bigint, text, jsonb, timestamptz, int, interval) is
    'for the functions of this schema: a job that is scheduled, with its timer; null when there is no such lane, or it is closed';

-- Delayed, unique, debounced. A job under the key that is not over is found instead of made; with a debounce it takes the
-- new input and a new time while it is still scheduled (or held before its first run), and a job that
-- has begun is followed by another. The row of the key is locked first, so one key's arrivals queue up.
create or replace function postrider.job_later(
    lane bigint, kind text, input jsonb, due timestamptz, unique_key text default null,
    debounce interval default null, longest_wait interval default null, priority int default 2,
    time_limit interval default null)
returns table (job_id bigint, created boolean, due_at timestamptz) language plpgsql as $$
#variable_conflict use_column
declare
    reset timestamptz := postrider.now() + debounce;
    first timestamptz := case when debounce is null then due
                              else least(reset, postrider.now() + longest_wait) end;
    holder bigint;
    found_job record;
    new_job bigint;
begin
    if unique_key is not null then
        insert into postrider.job_key as k (key, job_id) values (unique_key, 0)
        on conflict (key) do update set key = k.key returning k.job_id into holder;
        if debounce is not null then
            update postrider.job j
            set input = job_later.input, due_at = least(reset, j.created_at + longest_wait),
                deadline_at = least(reset, j.created_at + longest_wait) + time_limit
            where j.job_id = holder and j.started_at is null and j.state in ('scheduled', 'paused')
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
    new_job := postrider.job_put_off(lane, kind, input, first, priority, time_limit);
    if new_job is null then
        delete from postrider.job_key k where k.key = unique_key and k.job_id = 0;
        return;
    end if;
    update postrider.job_key k set job_id = new_job where k.key = unique_key;
    return query select new_job, true, first;
end $$;
comment on function postrider.job_later(bigint, text, jsonb, timestamptz, text, interval, interval, int, interval) is
    'for the functions of this schema: a delayed, unique or debounced job; no row when there is no such lane';

create or replace function postrider.enqueue_later(
    lane_key text, kind text, input jsonb default null, delay interval default '0', at timestamptz default null,
    unique_key text default null, debounce interval default null, longest_wait interval default null,
    priority int default 2)
returns bigint language plpgsql as $$
declare
    lane bigint := (select l.lane_id from postrider.lane l where l.lane_key = enqueue_later.lane_key);
begin
    perform postrider.bound_transaction();
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
    'a job for later, by hand: after a delay or at a time; with unique_key at most one job that is not over; with debounce every call puts it off again, '
    'but not beyond longest_wait. Returns the job''s id';

-- The timer is the last of the locks.
create or replace function postrider.timer_set(job bigint, due timestamptz) returns boolean language plpgsql as $$
begin
    update postrider.job j set state = 'scheduled', due_at = due, arrival = 0, wait_reason = null, paused_at = null, paused_state = null,
        waited = case when j.paused_at is null then j.waited
                      else postrider.with_waits(j.waited, postrider.ended_wait('pause', j.paused_at)) end
    where j.job_id = job and j.started_at is null and j.state in ('scheduled', 'paused');
    if not found then return false; end if;
    insert into postrider.timer (job_id, due_at) values (job, due)
    on conflict (job_id) do update set due_at = excluded.due_at;
    return true;
end $$;
comment on function postrider.timer_set(bigint, timestamptz) is
    'for the functions of this schema: puts a scheduled job, or a paused one that never ran, off until then; false when it is neither';

-- Lanes first, in their order, then jobs, then timers. What others have locked is passed over until the next call.
-- Such timers stay the oldest, so the caller goes on behind them: a page is what follows a time and a job. A job that
-- is its lane's first gets the arrival number 1, as if it had been enqueued now; any other gets 0, which is never the
-- last one's.
create or replace function postrider.timers_admit(
    most int, after_due timestamptz default '-infinity', after_job bigint default 0,
    out ended int, out last_due timestamptz, out last_job bigint)
language plpgsql as $$
declare
    due bigint[];
    -- Bounds that a plan can leave partitions out by.
    low bigint;
    high bigint;
    lanes bigint[];
    jobs bigint[];
    rest bigint[];
    idle int;
begin
    select coalesce(array_agg(d.job_id order by d.due_at, d.job_id), '{}'), min(d.job_id), max(d.job_id), max(d.due_at)
    into due, low, high, last_due
    from (select t.job_id, t.due_at from postrider.timer t
          where t.due_at <= postrider.now() and (t.due_at, t.job_id) > (after_due, after_job)
          order by t.due_at, t.job_id limit most) d;
    last_job := due[most];
    if last_job is null then last_due := null; end if;
    ended := 0;
    if due = '{}' then return; end if;

    lanes := array(
        select r.lane_id from postrider.lane_run r
        where r.lane_id = any(array(select j.lane_id from postrider.job j
                                    where j.job_id between low and high and j.job_id = any(due) and j.state = 'scheduled'))
        order by r.lane_id for update of r skip locked);

    jobs := array(
        select j.job_id from postrider.job j
        where j.job_id between low and high and j.job_id = any(due) and j.state = 'scheduled' and j.lane_id = any(lanes)
        order by j.job_id for update of j skip locked);
    with t as (
        delete from postrider.timer t where t.job_id = any(jobs) and t.due_at <= postrider.now() returning t.job_id
    )
    select coalesce(array_agg(job_id), '{}') into jobs from t;

    perform postrider.lane_admit(jobs, lanes, low, high);
    update postrider.job j
    set state = 'available', conversation_id = l.conversation_id, arrival = (r.arrivals = 1)::int,
        due_at = least(j.due_at, postrider.now()),
        waited = postrider.with_waits(j.waited, postrider.ended_wait('schedule', j.created_at))
    from postrider.lane l, postrider.lane_run r
    where j.job_id between low and high and j.job_id = any(jobs) and l.lane_id = any(lanes) and r.lane_id = any(lanes)
      and j.state = 'scheduled' and l.lane_id = j.lane_id and r.lane_id = j.lane_id;
    perform postrider.lane_refresh(w.lane_id)
    from (select distinct j.lane_id from postrider.job j
          where j.job_id between low and high and j.job_id = any(jobs)) w;
    ended := cardinality(jobs);

    -- Timers of jobs that are not scheduled any more; last, as nothing may be waited for behind a timer. Locked first, judged
    -- in a second statement: a job that was resumed meanwhile keeps its timer.
    rest := array(
        select t.job_id from postrider.timer t
        where t.job_id = any(due)
          and not exists (select from postrider.job j where j.job_id between low and high and j.job_id = t.job_id
                                                        and j.state = 'scheduled' offset 0)
        for update of t skip locked);
    if rest = '{}' then return; end if;
    delete from postrider.timer t
    where t.job_id = any(rest) and t.due_at <= postrider.now()
      and not exists (select from postrider.job j where j.job_id between low and high and j.job_id = t.job_id
                                                    and j.state = 'scheduled' offset 0);
    get diagnostics idle = row_count;
    ended := ended + idle;
end $$;
comment on function postrider.timers_admit(int, timestamptz, bigint) is
    'for the scheduler: jobs whose time has come join their lanes, of at most so many timers behind a time and a job; '
    'returns how many ended, and where to go on (null = no more are due)';

-- Runs of a schedule whose row the caller has locked, and its next time (null = never again).
create or replace function postrider.input_at(input jsonb, t timestamptz) returns jsonb language sql stable as $$
    select case when jsonb_typeof(input -> 'data') = 'object'
                then jsonb_set(input, '{data,at}', to_jsonb(to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))
                else input end
$$;
comment on function postrider.input_at(jsonb, timestamptz) is
    'for the scheduler: a job''s input; where that has an object `data`, the time for which it is made is put into it as `at`';

create or replace function postrider.schedule_run(schedule_name text, times timestamptz[], next timestamptz)
returns void language plpgsql as $$
declare
    s postrider.schedule;
    key text;
    lane bigint;
    t timestamptz;
begin
    select * into strict s from postrider.schedule where name = schedule_name;
    key := coalesce(s.lane_key, 'schedule:' || s.name);
    if key like 'schedule:%' then
        insert into postrider.lane (lane_key) values (key) on conflict do nothing;
    end if;
    select l.lane_id into lane from postrider.lane l where l.lane_key = key;
    if not found then
        update postrider.schedule set error = 'there is no lane ' || key where name = schedule_name;
        return;
    end if;
    if exists (select from postrider.flow f where f.name = s.input ->> 'flow' and f.archived_at is not null) then
        times := '{}'; -- nothing starts it as long as it is archived
    end if;
    foreach t in array times loop
        if s.overlap = 'skip' and exists (select from postrider.job j
                                          where j.job_id = s.last_job and j.finished_at is null) then
            continue;
        end if;
        -- A time that was missed counts from now: its job would be late before it began.
        s.last_job := postrider.job_put_off(lane, s.kind, postrider.input_at(s.input, t), t, time_limit =>
            greatest(postrider.now() - t, interval '0') + s.time_limit_ms * interval '1 ms');
        if s.last_job is null then
            update postrider.schedule set error = 'the lane ' || key || ' takes nothing in: its conversation was deleted'
            where name = schedule_name;
            return;
        end if;
        s.last_at := t;
        s.runs := s.runs + 1;
    end loop;
    update postrider.schedule
    set next_at = coalesce(next, 'infinity'), last_at = s.last_at, last_job = s.last_job, runs = s.runs
    where name = schedule_name;
end $$;
comment on function postrider.schedule_run(text, timestamptz[], timestamptz) is 'for the scheduler: the jobs of these times and the next time, in one commit';

-- Some keys of all, in their order, so that a million live ones are not read at once. Locked first, judged in a
-- second statement: a key that was taken meanwhile is seen to be.
create or replace function postrider.job_keys_prune(after text, most int, out gone int, out last text) language plpgsql as $$
declare
    looked_at constant text[] := array(select k.key from postrider.job_key k where k.key > after order by k.key limit most);
    taken text[];
begin
    taken := array(select k.key from postrider.job_key k
                   where k.key = any(looked_at)
                     and not exists (select from postrider.job j where j.job_id = k.job_id and j.finished_at is null offset 0)
                   for update skip locked);
    delete from postrider.job_key k
    where k.key = any(taken)
      and not exists (select from postrider.job j where j.job_id = k.job_id and j.finished_at is null offset 0);
    get diagnostics gone = row_count;
    last := coalesce(looked_at[most], '');
end $$;
comment on function postrider.job_keys_prune(text, int) is
    'for the scheduler: forgets keys whose job is over, of so many behind a key; returns how many, and where to go on (empty = from the first)';
