-- What jobs wait for (an event, a time), and what is paused as a whole.

create table postrider.pause (
    scope     text primary key,
    bot_id    bigint,
    paused_at timestamptz not null default postrider.now(),
    reason    text
);
comment on table postrider.pause is 'what is paused as a whole: scope all, or bot:NAME; a lane''s pause stands in lane.paused_at';

-- Inserted, then deleted, like the rows of wait.
create table postrider.event (
    event_id bigint primary key default nextval('postrider.number'),
    lane_id  bigint not null,
    job_id   bigint,
    type     text not null,
    match    text,
    payload  jsonb,
    sent_at  timestamptz not null default postrider.now()
) with (fillfactor = 80, vacuum_truncate = off, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index event_lane on postrider.event (lane_id, type, event_id);
create index event_age on postrider.event (sent_at);
comment on table postrider.event is 'events nobody has consumed yet; a consumed one stands in the record of the step that waited';
comment on column postrider.event.job_id is 'the job it is for; null = whichever job of the lane waits for it';
comment on column postrider.event.match is 'the id it answers; such an event is consumed only by a wait for that id';

create table postrider.wait (
    job_id   bigint not null,
    lane_id  bigint not null,
    since    timestamptz not null default postrider.now(),
    until_at timestamptz not null,
    hears    boolean not null default false,
    key      text not null,
    type     text not null,
    match    text,
    primary key (job_id, key)
) with (vacuum_truncate = off, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index wait_lane on postrider.wait (lane_id);
create index wait_age on postrider.wait (since);
comment on table postrider.wait is 'the waits of parked jobs: for an event of a type, and of an id where one is asked for, until a time';
comment on column postrider.wait.hears is
    'a message of its lane may end it, so an arrival makes the lane ready; the lane''s row forgets that when another job runs meanwhile';

create table postrider.timer (
    job_id bigint primary key,
    due_at timestamptz not null
) with (fillfactor = 70);
-- A million may be due at one time, and they are read page by page.
create index timer_order on postrider.timer (due_at, job_id);
comment on table postrider.timer is 'when delayed jobs are due; a row whose job is not scheduled any more does nothing and goes when it is due';
