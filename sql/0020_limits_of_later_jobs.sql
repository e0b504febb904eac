-- Jobs for later and those of schedules have a deadline, too: it counts from the time at which they are due.
alter table postrider.schedule add column time_limit_ms bigint check (time_limit_ms > 0);
comment on column postrider.schedule.time_limit_ms is 'each of its jobs fails so long after its time; null = never';

drop function postrider.job_put_off(bigint, text, jsonb, timestamptz, int);
create function postrider.job_put_off(
    lane bigint, kind text, input jsonb, due timestamptz, priority int default 2, time_limit interval default null)
returns bigint language plpgsql as $$
declare
    number bigint := nextval('postrider.number');
begin
    insert into postrider.job (job_id, lane_id, conversation_id, arrival, kind, state, input, due_at, priority, deadline_at)
    select number, l.lane_id, l.conversation_id, 0, job_put_off.kind, 'scheduled', job_put_off.input, due,
           job_put_off.priority, due + time_limit
    from postrider.lane l where l.lane_id = lane;
    if not found then return null; end if;
    insert into postrider.timer (job_id, due_at) values (number, due);
    return number;
end $$;
comment on function postrider.job_put_off(bigint, text, jsonb, timestamptz, int, interval) is
    'for the functions of this schema: a job that is scheduled, with its timer; null when there is no such lane';

drop function postrider.job_later(bigint, text, jsonb, timestamptz, text, interval, interval, int);
create function postrider.job_later(
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
    made bigint;
begin
    if unique_key is not null then
        insert into postrider.job_key as k (key, job_id) values (unique_key, 0)
        on conflict (key) do update set key = k.key returning k.job_id into holder;
        if debounce is not null then
            perform from postrider.timer t where t.job_id = holder for update;
            update postrider.job j
            set input = job_later.input, due_at = least(reset, j.created_at + longest_wait),
                deadline_at = least(reset, j.created_at + longest_wait) + time_limit
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
    made := postrider.job_put_off(lane, kind, input, first, priority, time_limit);
    if made is null then
        delete from postrider.job_key k where k.key = unique_key and k.job_id = 0;
        return;
    end if;
    update postrider.job_key k set job_id = made where k.key = unique_key;
    return query select made, true, first;
end $$;
comment on function postrider.job_later(bigint, text, jsonb, timestamptz, text, interval, interval, int, interval) is
    'for the functions of this schema: a delayed, unique or debounced job; no row when there is no such lane';

create or replace function postrider.schedule_run(which text, times timestamptz[], next timestamptz)
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
        -- A time that was missed counts from now: its job would be late before it began.
        s.last_job := postrider.job_put_off(lane, s.kind, s.input, t, time_limit =>
            greatest(postrider.now() - t, interval '0') + s.time_limit_ms * interval '1 ms');
        s.last_at := t;
        s.runs := s.runs + 1;
    end loop;
    update postrider.schedule
    set next_at = coalesce(next, 'infinity'), last_at = s.last_at, last_job = s.last_job, runs = s.runs
    where name = which;
end $$;
