-- What a job can wait for (a time, an event), how lanes take their mail, and what a running job can
-- be asked.

-- A job.
alter table postrider.job
    add column due_at timestamptz,
    add column wait_reason text,
    add column asked text check (asked in ('cancel', 'rollback', 'pause')),
    add column rolling_back jsonb,
    add column restarts smallint not null default 0,
    add column forked_from bigint,
    add column priority smallint not null default 2 check (priority between 0 and 3);
comment on column postrider.job.due_at is 'it is not run before: a parked job''s wake-up, a scheduled job''s time; null = at once';
comment on column postrider.job.wait_reason is 'why it is parked, in words';
comment on column postrider.job.asked is 'what a person asked of it while it ran or waited, until its worker has done so';
comment on column postrider.job.rolling_back is 'the ending {state, error_class, error} that it comes to once its rollback is through';
comment on column postrider.job.restarts is 'how often it was begun anew; records of earlier lives have ~N behind their keys';
comment on column postrider.job.forked_from is 'the job whose input and first steps it was given';
comment on column postrider.job.priority is '0 urgent, 1 high, 2 normal, 3 low; a lower one yields, but ages and is never starved';

-- A lane.
alter table postrider.lane
    add column debounce_ms int not null default 0 check (debounce_ms between 0 and 3600000),
    add column debounce_most_ms int not null default 0 check (debounce_most_ms >= 0);
comment on column postrider.lane.mailbox is
    'what a message does that arrives while another is not answered: queue = a turn each, coalesce = one turn takes all that wait, '
    'interrupt = it ends the running turn, route = it answers a waiting turn''s question';
comment on column postrider.lane.debounce_ms is 'of a coalescing lane: so long it must be quiet before a turn begins';
comment on column postrider.lane.debounce_most_ms is 'of a coalescing lane: no message waits longer for quiet; 0 = ten times debounce_ms';

alter table postrider.lane_run
    add column mailbox text not null default 'queue',
    add column quiet_until timestamptz,
    add column wants_mail boolean not null default false,
    add column asked text check (asked in ('cancel', 'rollback', 'pause', 'hold', 'interrupt'));
alter table postrider.lane_run alter column priority set default 2;
alter table postrider.lane_run add constraint lane_run_priority check (priority between 0 and 3);
comment on column postrider.lane_run.asked is 'to the node that leases it: cancel, roll back or pause the running job, hold the lane, or make way for a newer message';
comment on column postrider.lane_run.priority is 'that of the most urgent job enqueued in this life of the row';
comment on column postrider.lane_run.wants_mail is 'of a routing lane: its head waits for a message, so an arrival makes the lane ready';
comment on column postrider.lane_run.quiet_until is 'of a coalescing lane: no debounce goes beyond';

-- A sleep is one row, done as soon as it begins, with the time of its end in next_at.
alter table postrider.step drop constraint step_retry_has_a_time;
alter table postrider.step add constraint step_retry_has_a_time check (
    case outcome when 'retry' then next_at is not null when 'failed' then next_at is null else true end);
comment on column postrider.step.next_at is 'of a failed try: when the next is due; of a sleep: when it ends';

-- Paused as a whole: a bot, or everything (bot_id null).
create table postrider.pause (
    scope     text primary key,
    bot_id    bigint,
    paused_at timestamptz not null default postrider.now(),
    reason    text
);
comment on table postrider.pause is 'what is paused as a whole: scope all, or bot:NAME; a lane''s pause stands in lane.paused_at';

create table postrider.event (
    event_id bigint primary key default nextval('postrider.number'),
    lane_id  bigint not null,
    job_id   bigint,
    type     text not null,
    match    text,
    payload  jsonb,
    sent_at  timestamptz not null default postrider.now()
) with (fillfactor = 80);
create index event_lane on postrider.event (lane_id, type, event_id);
comment on table postrider.event is 'events nobody has consumed yet; a consumed one stands in the record of the step that waited';
comment on column postrider.event.job_id is 'the job it is for; null = whichever job of the lane waits for it';
comment on column postrider.event.match is 'the id it answers; such an event is consumed only by a wait for that id';

create table postrider.wait (
    job_id   bigint not null,
    lane_id  bigint not null,
    since    timestamptz not null default postrider.now(),
    until_at timestamptz not null,
    key      text not null,
    type     text not null,
    match    text,
    primary key (job_id, key)
);
create index wait_lane on postrider.wait (lane_id);
comment on table postrider.wait is 'the waits of parked jobs: for an event of a type, and of an id where one is asked for, until a time';

create table postrider.timer (
    job_id bigint primary key,
    due_at timestamptz not null
) with (fillfactor = 70);
create index timer_due on postrider.timer (due_at);
comment on table postrider.timer is 'when delayed jobs are due; a row whose job is not scheduled any more does nothing and goes when it is due';

-- Whether the lane may run now, by its own pause and those above it.
create function postrider.lane_held(lane bigint) returns boolean language sql stable as $$
    select l.paused_at is not null
        or exists (select from postrider.pause p where p.bot_id is null or p.bot_id = l.bot_id)
    from postrider.lane l where l.lane_id = lane
$$;
comment on function postrider.lane_held(bigint) is 'true while the lane, its bot or everything is paused';

-- Brings a lane's row in line with its jobs after one of them was changed from outside. The caller holds
-- the row's lock. A lane that is leased is left alone: its worker looks by itself.
create function postrider.lane_refresh(lane bigint) returns void language plpgsql as $$
declare
    run postrider.lane_run;
    first record;
begin
    select * into run from postrider.lane_run where lane_id = lane for update;
    if not found or run.node_id is not null then return; end if;
    select job_id, due_at, wait_reason into first from postrider.job
    where lane_id = lane and job_id >= run.head
      and state in ('available', 'waiting', 'retryable', 'running')
    order by job_id limit 1;
    if not found then
        delete from postrider.lane_run where lane_id = lane;
    elsif postrider.lane_held(lane) then
        update postrider.lane_run set head = first.job_id, ready_at = 'infinity', wait_reason = 'paused' where lane_id = lane;
    else
        update postrider.lane_run
        set head = first.job_id, ready_at = coalesce(first.due_at, postrider.now()), wait_reason = first.wait_reason
        where lane_id = lane;
    end if;
end $$;
comment on function postrider.lane_refresh(bigint) is 'for the functions of this schema: a free lane''s ready time and head from its jobs';

-- Puts a job that is not in its lane's count (paused, over, scheduled) among the lane's live jobs. Its own
-- arrival number becomes 0, which never equals `arrivals`: whoever ends then looks for what is left.
create function postrider.lane_admit(job bigint, lane bigint) returns void language sql as $$
    insert into postrider.lane_run (lane_id, ready_at, epoch, arrivals, head, mailbox, priority)
    select l.lane_id, postrider.now(), nextval('postrider.number'), 1, job, l.mailbox,
           coalesce((select j.priority from postrider.job j where j.job_id = job), 2)
    from postrider.lane l where l.lane_id = lane
    on conflict (lane_id) do update
        set arrivals = lane_run.arrivals + 1, head = least(lane_run.head, excluded.head),
            priority = least(lane_run.priority, excluded.priority)
$$;
comment on function postrider.lane_admit(bigint, bigint) is
    'for the functions of this schema: counts the job in its lane and locks the lane''s row; set its state and arrival 0, then lane_refresh';

-- Events. What is sent before its wait is kept; it is consumed once, first in, first out.
create function postrider.deliver_event(lane bigint, job bigint, type text, payload jsonb, match text)
returns bigint language plpgsql as $$
declare
    number bigint;
    woken bigint;
begin
    perform from postrider.lane_run r where r.lane_id = lane for update;
    insert into postrider.event (lane_id, job_id, type, match, payload)
    values (lane, job, type, match, payload) returning event_id into number;
    select w.job_id into woken from postrider.wait w
    where w.lane_id = lane and (job is null or w.job_id = job)
      and w.type = deliver_event.type and w.match is not distinct from deliver_event.match
    order by w.since limit 1;
    if found then
        update postrider.job j set due_at = postrider.now() where j.job_id = woken and j.state = 'waiting';
        perform postrider.lane_refresh(lane);
        perform pg_notify('postrider', 'wake');
    end if;
    return number;
end $$;
comment on function postrider.deliver_event(bigint, bigint, text, jsonb, text) is
    'for the functions of this schema: keeps an event for a job (or any job) of the lane and wakes who waits for it';
