-- Lanes and their jobs, and events for them: what the other functions are made of.

-- A live job is one of those that its lane runs in order; a paused or scheduled job stands aside.
create or replace function postrider.is_live(state text) returns boolean language sql immutable parallel safe as
$$ select state in ('available', 'waiting', 'retryable', 'running') $$;
comment on function postrider.is_live(text) is 'whether a job in this state takes its turn in its lane';

-- Inlined where it stands in a from clause, so a statement that knows a range of ids bounds the partitions by it.
create or replace function postrider.live_jobs(lane bigint, head bigint) returns setof postrider.job language sql stable parallel safe as $$
    select j.* from postrider.job j where j.lane_id = lane and j.job_id >= head and postrider.is_live(j.state)
$$;
comment on function postrider.live_jobs(bigint, bigint) is 'the live jobs of a lane, given the head of its lane_run row; none when the lane is idle';

-- A job that is not over is live, or paused, or scheduled. Lanes with work are leased or free: each has an index of its own.
create or replace function postrider.unfinished_jobs() returns table (job_id bigint) language sql stable as $$
    select l.job_id from postrider.lane_run r cross join lateral postrider.live_jobs(r.lane_id, r.head) l where r.node_id is not null
    union
    select l.job_id from postrider.lane_run r cross join lateral postrider.live_jobs(r.lane_id, r.head) l
    where r.node_id is null and r.ready_at is not null
    union
    select t.job_id from postrider.timer t
    union
    select j.job_id from postrider.job j where j.paused_at is not null
$$;
comment on function postrider.unfinished_jobs() is
    'the ids of all jobs that are not over, found without a look at those that are; a timer may outlive its job, whose id is among them then';

-- Which job a lane runs next. Inlined too, but no range of ids gets past its limit.
create or replace function postrider.first_live_job(lane bigint, head bigint)
returns table (job_id bigint, state text, due_at timestamptz, wait_reason text) language sql stable parallel safe as $$
    select j.job_id, j.state, j.due_at, j.wait_reason from postrider.live_jobs(lane, head) j order by j.job_id limit 1
$$;
comment on function postrider.first_live_job(bigint, bigint) is 'the first live job of a lane, given the head of its lane_run row; no row when it has none, or the lane is idle';

-- A function, and none that is inlined: a claim that meets no suspect does not open the jobs' partitions.
create or replace function postrider.lost_runs(lane bigint, head bigint) returns int language plpgsql stable as $$
begin
    return coalesce((select j.lost from postrider.first_live_job(lane, head) f
                     join postrider.job j on j.job_id = f.job_id), 0);
end $$;
comment on function postrider.lost_runs(bigint, bigint) is 'how many runs of a lane''s first live job were lost';

-- Whether the lane may run now, by its own pause and those above it.
create or replace function postrider.lane_held(lane bigint) returns boolean language sql stable as $$
    select l.paused_at is not null
        or exists (select from postrider.pause p where p.bot_id is null or p.bot_id = l.bot_id)
    from postrider.lane l where l.lane_id = lane
$$;
comment on function postrider.lane_held(bigint) is 'true while the lane, its bot or everything is paused';

-- What was asked of the job may stand in lane_run.asked where the request to hold the lane would: so where anything is asked,
-- the pauses themselves are looked at. Where nothing is, as in a plain turn, nobody looks. Inlined.
create or replace function postrider.lane_holds(asked text, lane bigint) returns boolean language sql stable as $$
    select coalesce(asked = 'hold' or asked is not null and postrider.lane_held(lane), false)
$$;
comment on function postrider.lane_holds(text, bigint) is 'for workers: whether a lane that they leave is held, given what its lane_run row asks';

-- Lanes without work left. The caller holds their rows' locks. The statements of workers have the part from here: they find the
-- rows by their epochs.
create or replace function postrider.idle_lanes(lanes bigint[]) returns void language sql as $$
    update postrider.lane_run
    set -- part: idle_lane
        ready_at = null, node_id = null, head = null, arrivals = 0, edits = 0, priority = 3, suspect = 0, wants_mail = false,
        asked = null, wait_reason = null, quiet_until = null, left_by = null
        -- end
    where lane_id = any(lanes)
$$;
comment on function postrider.idle_lanes(bigint[]) is 'for the functions of this schema: the lanes have no work any more';

-- A statement that found a lane and then its row gone calls this, and has done nothing: its caller begins again.
create or replace function postrider.lane_went() returns bigint language plpgsql as $$
begin
    raise exception 'a lane was deleted while something for it arrived' using errcode = 'serialization_failure';
end $$;
comment on function postrider.lane_went() is 'for the intake: fails as a conflict does';

create or replace function postrider.lane_closed(lane bigint) returns boolean language sql stable as $$
    select exists (select from postrider.lane_run r where r.lane_id = lane and r.closed)
$$;
comment on function postrider.lane_closed(bigint) is 'whether the conversation of the lane was deleted: nothing is to begin in it';

-- A statement that meets a closed lane calls this, and one whose lane must be there and is not. The SQLSTATE is one of our own.
create or replace function postrider.lane_refuses() returns boolean language plpgsql as $$
begin
    raise exception 'the lane takes nothing in: what it was for was deleted' using errcode = 'PR002';
end $$;
comment on function postrider.lane_refuses() is 'for the intake: what arrives for a deleted conversation is refused';

-- The fence of a commit that is one round trip calls it (sql/statements/fence_or_fail.sql): the commit is sent again in stages, which look
-- first. The SQLSTATE is one of our own.
create or replace function postrider.lane_differs() returns bigint language plpgsql as $$
begin
    raise exception 'a lane is not as its worker expects it' using errcode = 'PR001';
end $$;
comment on function postrider.lane_differs() is 'for workers: a lane is not leased so any more, or something was asked or edited meanwhile';

-- Whether a job waits for a message, and whether an answer has come that nobody has begun. A wait ends with its job's next run, which
-- sees the message; the lane's row (wants_mail) knows of it only as long as no other job of the lane runs. What is an answer,
-- sql/statements/take_events.sql says.
create or replace function postrider.job_hears(job bigint) returns boolean language sql stable as $$
    select exists (select from postrider.wait w where w.job_id = job and w.hears)
$$;
comment on function postrider.job_hears(bigint) is 'whether a message of its lane may end what the job waits for';

create or replace function postrider.answer_behind(job bigint, lane bigint) returns boolean language sql stable as $$
    select exists (
        select from postrider.job j
        where j.lane_id = lane and j.job_id > job and j.state = 'available' and j.started_at is null
          and j.job_id > coalesce((select min(w.heard_to) from postrider.wait w where w.job_id = job and w.hears), 0)
          and (exists (select from postrider.message m
                       where m.lane_id = j.lane_id and m.job_id = j.job_id and m.position = 0 and m.role = 'user' offset 0)
               or exists (select from postrider.wait w
                          where w.job_id = job and w.hears and w.type = 'message' offset 0)))
$$;
comment on function postrider.answer_behind(bigint, bigint) is
    'whether a job of the lane stands behind this one that nobody has begun and that may answer what this one waits for';

-- Brings a lane's row in line with its jobs after one of them was changed from outside. The caller holds
-- the row's lock. A lane that is leased is left alone: its worker looks by itself. What was asked of the job
-- that was first is not asked of another, nor is another suspected in its place. A coalescing lane still waits
-- for quiet: as long as it did, or as a message that arrives now would.
create or replace function postrider.lane_refresh(lane bigint) returns void language plpgsql as $$
declare
    run postrider.lane_run;
    first record;
    held boolean;
    hears boolean;
    heard boolean; -- it has come already
    quiet timestamptz;
begin
    select * into run from postrider.lane_run where lane_id = lane for update;
    if run.ready_at is null or run.node_id is not null then return; end if;
    select * into first from postrider.first_live_job(lane, run.head);
    if not found then
        perform postrider.idle_lanes(array[lane]);
        return;
    end if;
    held := postrider.lane_held(lane);
    hears := coalesce(first.due_at > postrider.now(), false) and postrider.job_hears(first.job_id);
    heard := hears and not held and postrider.answer_behind(first.job_id, lane);
    if first.state = 'available' and first.due_at is null and run.quiet_until is not null then
        quiet := case when run.wait_reason is null and run.ready_at < 'infinity' then run.ready_at else
            (select least(run.quiet_until, postrider.now() + l.debounce_ms * interval '1 ms') from postrider.lane l where l.lane_id = lane) end;
    end if;
    update postrider.lane_run
    set head = first.job_id, asked = case when run.head = first.job_id then run.asked end, wants_mail = hears,
        -- A suspect was begun: a job that was not is another.
        suspect = case when run.suspect = 0 then 0
                       else (select case when j.started_at is null then 0 else run.suspect end from postrider.job j where j.job_id = first.job_id) end,
        ready_at = case when held then 'infinity' when heard then postrider.now() else coalesce(first.due_at, quiet, postrider.now()) end,
        wait_reason = case when held then 'paused' when not heard then first.wait_reason end,
        left_by = case when held then run.left_by end
    where lane_id = lane;
end $$;
comment on function postrider.lane_refresh(bigint) is 'for the functions of this schema: a free lane''s ready time and head from its jobs';

-- Puts jobs that are not in their lanes' counts (paused, over, scheduled) among the lanes' live jobs. Their own arrival numbers
-- become 0, which never equals `arrivals`: the next job that ends looks for what is left. The bounds of the ids leave partitions
-- out.
create or replace function postrider.lane_admit(jobs bigint[], lanes bigint[], low bigint, high bigint) returns void language plpgsql as $$
begin
    update postrider.lane_run r
    set ready_at = coalesce(r.ready_at, postrider.now()), arrivals = r.arrivals + n.count, head = least(r.head, n.head),
        asked = case when r.node_id is not null or n.head > r.head then r.asked end,
        -- The suspect is the first job of a free lane: what comes before it now was not in flight with it.
        suspect = case when r.node_id is null and n.head < r.head then 0 else r.suspect end,
        priority = least(r.priority, n.priority), mailbox = case when r.ready_at is null then n.mailbox else r.mailbox end
    from (select j.lane_id, l.mailbox, count(*) as count, min(j.job_id) as head, min(j.priority) as priority
          from postrider.job j join postrider.lane l on l.lane_id = any(lanes) and l.lane_id + 0 = j.lane_id
          where j.job_id between low and high and j.job_id = any(jobs) group by j.lane_id, l.mailbox) n
    where r.lane_id = any(lanes) and r.lane_id + 0 = n.lane_id;
end $$;
comment on function postrider.lane_admit(bigint[], bigint[], bigint, bigint) is
    'for the functions of this schema: counts jobs in their lanes and locks the lanes'' rows; set their states and arrivals, then lane_refresh';

-- Events. What is sent before its wait is kept; it is consumed once, first in, first out.
create or replace function postrider.deliver_event(lane bigint, job bigint, type text, payload jsonb, match text)
returns bigint language plpgsql as $$
declare
    number bigint;
    woken bigint;
begin
    perform from postrider.lane_run r where r.lane_id = lane for update;
    insert into postrider.event (lane_id, job_id, type, match, payload)
    values (lane, job, type, match, payload) returning event_id into number;
    -- A paused job looks once it is resumed, and of one that is over a wait may be left.
    select w.job_id into woken from postrider.wait w
    where w.lane_id = lane and (job is null or w.job_id = job)
      and w.type = deliver_event.type and w.match is not distinct from deliver_event.match
      and exists (select from postrider.job j where j.job_id = w.job_id and postrider.is_live(j.state) offset 0)
    order by w.since limit 1;
    if found then
        update postrider.job j set due_at = postrider.now() where j.job_id = woken and j.state in ('waiting', 'retryable');
        perform postrider.lane_refresh(lane);
        perform pg_notify('postrider', 'wake');
    end if;
    return number;
end $$;
comment on function postrider.deliver_event(bigint, bigint, text, jsonb, text) is
    'for the functions of this schema: keeps an event for a job (or any job) of the lane and wakes the job that waits for it';
