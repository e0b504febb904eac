-- Work for later: the keys of unique and debounced jobs, and recurring schedules. Reminders are schedules of the kind
-- `reminder`, found by the person whose they are.

create table postrider.job_key (
    key    text primary key check (octet_length(key) between 1 and 500),
    job_id bigint not null
);
comment on table postrider.job_key is 'the keys of unique and debounced jobs, each with its newest job; a key is free once that job is over';

create table postrider.schedule (
    name          text primary key check (octet_length(name) between 1 and 200 and name !~ '[[:cntrl:]]'),
    kind          text not null check (octet_length(kind) between 1 and 200),
    input         jsonb,
    lane_key      text check (octet_length(lane_key) between 1 and 500),
    cron          text,
    at            timestamptz check (at between '1970-01-01Z' and '9999-01-01Z'),
    timezone      text not null default 'UTC',
    missed        text not null default 'once' check (missed in ('skip', 'once', 'all')),
    overlap       text not null default 'queue' check (overlap in ('queue', 'skip')),
    created_at    timestamptz not null default postrider.now(),
    next_at       timestamptz,
    last_at       timestamptz,
    last_job      bigint,
    runs          bigint not null default 0,
    paused_at     timestamptz,
    time_limit_ms bigint check (time_limit_ms > 0),
    error         text,
    constraint schedule_cron_or_at check ((cron is null) <> (at is null))
);
create index schedule_next on postrider.schedule (next_at) where paused_at is null and error is null;
create index schedule_reminder on postrider.schedule ((input ->> 'user')) where kind = 'reminder';
comment on index postrider.schedule_reminder is 'the reminders of a person; their text, their place and their lane stand in the input';
comment on table postrider.schedule is 'jobs that recur (cron) or run once at a time (at); insert by hand with name, kind, input and cron or at';
comment on column postrider.schedule.lane_key is 'the lane of its jobs; null = schedule:NAME. A key schedule:… is made when need be, any other lane must exist';
comment on column postrider.schedule.cron is 'minute hour day-of-month month day-of-week, or with seconds in front, or @daily and the like';
comment on column postrider.schedule.timezone is 'IANA name of the zone whose wall clock cron means';
comment on column postrider.schedule.missed is 'what becomes of times that passed a minute or more before any node saw them: skip, one run for all, or a run for each (the first hundred)';
comment on column postrider.schedule.overlap is 'when its last job is not over: queue the next one behind it, or skip that run';
comment on column postrider.schedule.next_at is 'null = the scheduler computes it; infinity = never again. Set it to postrider.now() for a run at once';
comment on column postrider.schedule.error is 'why it does not run; cleared by a change of its definition';
comment on column postrider.schedule.time_limit_ms is 'each of its jobs fails so long after its time; null = never';
