-- Nobody waits for a lock that a stranger holds; who was in flight at a crash is tried alone.
-- The order of locks stands in docs/states.md.

-- A person's transaction.
create function postrider.bound_transaction() returns void language plpgsql as $$
declare
    wait constant interval := current_setting('lock_timeout')::interval;
    idle constant interval := current_setting('idle_in_transaction_session_timeout')::interval;
begin
    if wait = '0' or wait > interval '5 s' then
        perform set_config('lock_timeout', '5s', true);
    end if;
    if idle = '0' or idle > interval '10 s' then
        perform set_config('idle_in_transaction_session_timeout', '10s', true);
    end if;
end $$;
comment on function postrider.bound_transaction() is
    'for the functions of this schema: until the transaction ends, a lock is waited for 5 s at most, and a session that idles in it for 10 s is ended: what it has locked stands still';

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

create or replace function postrider.lane_pause(lane_key text) returns postrider.operation_result language plpgsql as $$
declare
    l postrider.lane;
    run postrider.lane_run;
begin
    perform postrider.bound_transaction();
    select * into l from postrider.lane x where x.lane_key = lane_pause.lane_key for no key update;
    if l.lane_id is null then return postrider.lane_answer(lane_key, null, 'not_found', 'there is no lane ' || lane_key); end if;
    update postrider.lane set paused_at = coalesce(paused_at, postrider.now()) where lane_id = l.lane_id;
    select * into run from postrider.lane_run r where r.lane_id = l.lane_id for update;
    if run.node_id is not null then
        update postrider.lane_run set asked = coalesce(asked, 'hold') where lane_id = l.lane_id;
        perform pg_notify('postrider', 'asked');
        return postrider.lane_answer(lane_key, 'paused', 'asked', 'a job of it runs: it is held at its next step boundary');
    end if;
    perform postrider.lane_refresh(l.lane_id);
    return postrider.lane_answer(lane_key, 'paused', case when l.paused_at is null then 'done' else 'unchanged' end,
                                 case when l.paused_at is not null then 'it was paused before' end);
end $$;

create or replace function postrider.lane_resume(lane_key text) returns postrider.operation_result language plpgsql as $$
declare
    l postrider.lane;
    above boolean;
begin
    perform postrider.bound_transaction();
    select * into l from postrider.lane x where x.lane_key = lane_resume.lane_key for no key update;
    if l.lane_id is null then return postrider.lane_answer(lane_key, null, 'not_found', 'there is no lane ' || lane_key); end if;
    update postrider.lane set paused_at = null where lane_id = l.lane_id;
    above := postrider.lane_held(l.lane_id);
    perform from postrider.lane_run r where r.lane_id = l.lane_id for update;
    if not above then
        update postrider.lane_run set asked = null where lane_id = l.lane_id and asked = 'hold';
        perform postrider.lane_refresh(l.lane_id);
        perform pg_notify('postrider', 'wake');
    end if;
    return postrider.lane_answer(lane_key, case when above then 'paused' else 'active' end,
        case when l.paused_at is null then 'unchanged' else 'done' end,
        case when above then 'its bot, or everything, is paused still' when l.paused_at is null then 'it was not paused' end);
end $$;

create or replace function postrider.lane_send_event(lane_key text, type text, payload jsonb default null, match text default null)
returns postrider.operation_result language plpgsql as $$
declare
    lane bigint;
begin
    perform postrider.bound_transaction();
    select l.lane_id into lane from postrider.lane l where l.lane_key = lane_send_event.lane_key for no key update;
    if lane is null then return postrider.lane_answer(lane_key, null, 'not_found', 'there is no lane ' || lane_key); end if;
    if coalesce(type, '') = '' then return postrider.lane_answer(lane_key, null, 'invalid', 'an event has a type'); end if;
    perform postrider.deliver_event(lane, null, type, payload, match);
    return postrider.lane_answer(lane_key, null, 'done', 'it is for whichever job of the lane waits for it first');
end $$;

-- A pause of a bot or of everything holds the first lanes in its own transaction; the nodes hold the others,
-- some at a time.
create or replace function postrider.pause_scope(name text, bot bigint) returns postrider.operation_result language plpgsql as $$
declare
    fresh boolean;
    running bigint;
begin
    perform postrider.bound_transaction();
    insert into postrider.pause (scope, bot_id) values (name, bot) on conflict do nothing;
    fresh := found;
    perform postrider.apply_pauses();
    perform pg_notify('postrider', 'asked');
    select count(*) into running from postrider.lane_run r join postrider.lane l using (lane_id)
    where r.node_id is not null and (bot is null or l.bot_id = bot);
    if running > 0 then
        return postrider.lane_answer(name, 'paused', 'asked', format('jobs of %s lanes run: they are held at their next step boundary', running));
    end if;
    return postrider.lane_answer(name, 'paused', case when fresh then 'done' else 'unchanged' end,
                                 case when not fresh then 'it was paused before' end);
end $$;

create or replace function postrider.resume_scope(name text) returns postrider.operation_result language plpgsql as $$
declare
    was boolean;
    above boolean;
begin
    perform postrider.bound_transaction();
    delete from postrider.pause where scope = name;
    was := found;
    perform postrider.apply_pauses();
    above := exists (select from postrider.pause where bot_id is null);
    return postrider.lane_answer(name, case when above then 'paused' else 'active' end,
        case when was then 'done' else 'unchanged' end,
        case when above then 'everything is paused still' when not was then 'it was not paused' end);
end $$;

-- Lanes that others have locked are passed over: the next call finds them.
create or replace function postrider.apply_pauses(most int default 500) returns int language plpgsql as $$
declare
    everything constant boolean := exists (select from postrider.pause where bot_id is null);
    bots constant bigint[] := array(select bot_id from postrider.pause where bot_id is not null);
    held int := 0;
    freed bigint[];
    asked int;
begin
    if everything or bots <> '{}' or exists (select from postrider.lane where paused_at is not null) then
        with c as materialized (
            select l.lane_id from postrider.lane l where l.paused_at is not null
            union all select r.lane_id from postrider.lane_run r where everything and (r.node_id is not null or r.ready_at < 'infinity')
            union all select r.lane_id from postrider.lane l join postrider.lane_run r using (lane_id) where l.bot_id = any(bots)
        ), l as materialized (
            select r.lane_id from postrider.lane_run r
            where r.lane_id = any(array(select lane_id from c))
              and (r.node_id is null and r.ready_at < 'infinity' or r.node_id is not null and r.asked is null)
            limit most for update skip locked
        ), h as (
            update postrider.lane_run r
            set ready_at = case when node_id is null then 'infinity' else ready_at end,
                wait_reason = case when node_id is null then 'paused' else wait_reason end,
                asked = case when node_id is null then r.asked else 'hold' end
            where r.lane_id = any(array(select lane_id from l))
            returning r.node_id
        )
        select count(*), count(node_id) into held, asked from h;
        if asked > 0 then perform pg_notify('postrider', 'asked'); end if;
    end if;
    if everything or held >= most then return held; end if;
    freed := array(
        select r.lane_id from postrider.lane_run r join postrider.lane l using (lane_id)
        where (r.node_id is null and r.priority in (0, 1, 2, 3) and r.ready_at = 'infinity' and r.wait_reason = 'paused'
               or r.node_id is not null and r.asked = 'hold')
          and l.paused_at is null and not coalesce(l.bot_id = any(bots), false)
        limit most - held for update of r skip locked
    );
    if freed = '{}' then return held; end if;
    update postrider.lane_run r set asked = null where r.lane_id = any(freed) and r.node_id is not null;
    perform postrider.lane_refresh(lane_id) from unnest(freed) lane_id;
    perform pg_notify('postrider', 'wake');
    return held + cardinality(freed);
end $$;
comment on function postrider.apply_pauses(int) is
    'holds lanes that are paused and frees those that no longer are, at most so many; returns how many it changed';

-- The timer is the last of the locks.
create or replace function postrider.timer_set(job bigint, due timestamptz) returns boolean language plpgsql as $$
begin
    update postrider.job j set state = 'scheduled', due_at = due, arrival = 0, wait_reason = null, paused_at = null, paused_state = null
    where j.job_id = job and j.run_no = 0 and j.state in ('scheduled', 'paused');
    if not found then return false; end if;
    insert into postrider.timer (job_id, due_at) values (job, due)
    on conflict (job_id) do update set due_at = excluded.due_at;
    return true;
end $$;

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
    made bigint;
begin
    if unique_key is not null then
        insert into postrider.job_key as k (key, job_id) values (unique_key, 0)
        on conflict (key) do update set key = k.key returning k.job_id into holder;
        if debounce is not null then
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

-- Lanes first, then jobs, then timers. Lanes without a row get theirs in lane order; of all that exists, what
-- others have locked is passed over until the next call. A job that is its lane's first gets the arrival number
-- 1, as if it had been enqueued now; any other gets 0, which is never the last one's.
create or replace function postrider.timers_admit(most int) returns int language plpgsql as $$
declare
    lanes bigint[];
    jobs bigint[];
    idle int;
begin
    with t as materialized (
        select t.job_id from postrider.timer t left join postrider.job j using (job_id)
        where t.due_at <= postrider.now() and j.state is distinct from 'scheduled'
        order by t.due_at limit most for update of t skip locked
    )
    delete from postrider.timer t using t x where t.job_id = x.job_id;
    get diagnostics idle = row_count;

    with made as (
        insert into postrider.lane_run (lane_id, ready_at, epoch, arrivals, head, mailbox, priority)
        select l.lane_id, 'infinity', nextval('postrider.number'), 0, n.head, l.mailbox, 3
        from (select j.lane_id, min(j.job_id) as head
              from (select j.lane_id, j.job_id from postrider.timer t join postrider.job j using (job_id)
                    where t.due_at <= postrider.now() and j.state = 'scheduled'
                      and not exists (select from postrider.lane_run r where r.lane_id = j.lane_id)
                    order by t.due_at limit most) j
              group by j.lane_id) n
        join postrider.lane l using (lane_id)
        order by l.lane_id
        on conflict (lane_id) do nothing
        returning lane_id
    )
    select array_agg(lane_id) into lanes from made;
    lanes := coalesce(lanes, '{}') || array(
        select r.lane_id from postrider.timer t join postrider.job j using (job_id) join postrider.lane_run r using (lane_id)
        where t.due_at <= postrider.now() and j.state = 'scheduled'
        order by t.due_at limit most for update of r skip locked);

    jobs := array(
        select j.job_id from postrider.timer t join postrider.job j using (job_id)
        where t.due_at <= postrider.now() and j.state = 'scheduled' and j.lane_id = any(lanes)
        order by t.due_at limit most for update of j skip locked);
    with t as (
        delete from postrider.timer t where t.job_id = any(jobs) and t.due_at <= postrider.now() returning t.job_id
    )
    select coalesce(array_agg(job_id), '{}') into jobs from t;

    update postrider.lane_run r
    set arrivals = r.arrivals + n.count, head = least(r.head, n.head), priority = least(r.priority, n.priority)
    from (select j.lane_id, count(*) as count, min(j.job_id) as head, min(j.priority) as priority
          from postrider.job j where j.job_id = any(jobs) group by j.lane_id) n
    where r.lane_id = n.lane_id;
    update postrider.job j
    set state = 'available', conversation_id = l.conversation_id, arrival = (r.arrivals = 1)::int,
        due_at = least(j.due_at, postrider.now())
    from postrider.lane l, postrider.lane_run r
    where j.job_id = any(jobs) and j.state = 'scheduled' and l.lane_id = j.lane_id and r.lane_id = j.lane_id;
    delete from postrider.lane_run where lane_id = any(lanes) and arrivals = 0;
    perform postrider.lane_refresh(w.lane_id)
    from (select distinct j.lane_id from postrider.job j where j.job_id = any(jobs)) w;
    return cardinality(jobs) + idle;
end $$;

-- Jobs parked at a bucket get ready, some after others, so that they do not come all at once; a few lanes in one
-- transaction, and none that another session has locked.
drop function postrider.bucket_wake(text);
create function postrider.bucket_wake(resource text, most int default 200) returns int language plpgsql as $$
declare
    lane bigint;
    woken int := 0;
    gap constant interval := least(20.0, 10000.0 / greatest(1, (select count(*) from postrider.bucket_place w
        where w.resource = bucket_wake.resource))) * interval '1 ms';
begin
    delete from postrider.bucket_place w using postrider.job j -- cancelled while they waited
    where w.resource = bucket_wake.resource and j.job_id = w.job_id and j.finished_at is not null;
    for lane in select r.lane_id
                from postrider.bucket_place w join postrider.job j using (job_id)
                join postrider.lane_run r on r.lane_id = w.lane_id
                where w.resource = bucket_wake.resource and (not w.reserved or w.until_at <= postrider.now())
                  and j.state = 'waiting' and j.due_at > postrider.now() and j.wait_reason is not null and r.node_id is null
                order by w.since limit most for update of r skip locked loop
        update postrider.job j set due_at = postrider.now() + woken * gap, wait_reason = null
        from postrider.bucket_place w
        where w.lane_id = lane and w.resource = bucket_wake.resource
          and (not w.reserved or w.until_at <= postrider.now())
          and j.job_id = w.job_id and j.state = 'waiting';
        perform postrider.lane_refresh(lane);
        woken := woken + 1;
    end loop;
    if woken > 0 then perform pg_notify('postrider', 'wake'); end if;
    return woken;
end $$;
comment on function postrider.bucket_wake(text, int) is
    'makes at most so many of the jobs that wait for this breaker ready, 50 a second and all within ten, and returns how many; those with a time of their own keep it';

-- Jobs that were in flight when their process died are suspects: each runs alone among the suspects of its node,
-- and only a death during such a run counts for job.lost.
alter table postrider.lane_run add column suspect smallint not null default 0;
create index lane_run_suspect on postrider.lane_run (ready_at) where suspect > 0;
comment on column postrider.lane_run.suspect is
    'in how many deaths of a process in a row the lane''s first job was in flight; 0 = it is no suspect. A node runs one suspect at a time';
comment on column postrider.job.lost is
    'runs that died with their process while the job was the only suspect there; at 3 the job fails';
