-- The durable engine: nodes, lanes, jobs, steps, effects. docs/states.md tells the states in words.

-- The one clock of stored times. Stable, so it is inlined and usable as an index condition; only tests
-- set postrider.offset, to let leases and retries come due without waiting.
create function postrider.now() returns timestamptz language sql stable parallel safe as
$$ select statement_timestamp() + coalesce(nullif(current_setting('postrider.offset', true), '')::interval, '0') $$;
comment on function postrider.now() is 'the time of every stored instant; tests move it by setting postrider.offset';

-- Numbers jobs, nodes and lease epochs. cache 1: a number drawn while a lane''s row is locked is greater than all drawn before.
create sequence postrider.number cache 1;
comment on sequence postrider.number is 'draws job ids, node ids and lease epochs';

create table postrider.node (
    node_id     bigint primary key,
    started_at  timestamptz not null default postrider.now(),
    beat_at     timestamptz not null default postrider.now(),
    pid         int not null,
    pid_started bigint not null,
    boot_id     text not null,
    pid_space   text not null,
    host        text not null,
    version     text not null,
    slots       int not null,
    busy        int not null default 0
) with (fillfactor = 50);
comment on table postrider.node is 'one row per running server process; a node whose beat_at is 8 s old is rescued by any other';
comment on column postrider.node.boot_id is 'kernel boot: with pid_space, pid and pid_started it tells another process of the same machine that this one is gone';
comment on column postrider.node.pid_started is 'start time of the process in clock ticks since boot (/proc/PID/stat)';

create table postrider.lane (
    lane_id         bigint generated always as identity primary key,
    conversation_id bigint not null default nextval('postrider.number'),
    bot_id          bigint,
    chat_id         bigint,
    lane_key        text not null unique,
    mailbox         text not null default 'queue' check (mailbox in ('queue', 'coalesce', 'interrupt', 'route')),
    paused_at       timestamptz,
    created_at      timestamptz not null default postrider.now()
);
create index lane_chat on postrider.lane (bot_id, chat_id);
comment on table postrider.lane is 'a serial order of jobs, one row per key for ever: bot:chat:topic, an API conversation, a schedule';
comment on column postrider.lane.conversation_id is 'the open conversation';
comment on column postrider.lane.mailbox is 'what a message does that arrives while a turn runs';

-- Rows exist only while a lane has work: about one insert and one delete per burst of messages.
create table postrider.lane_run (
    lane_id     bigint primary key,
    ready_at    timestamptz not null,
    node_id     bigint,
    epoch       bigint not null,
    arrivals    bigint not null,
    head        bigint not null,
    priority    smallint not null default 0,
    edits       int not null default 0,
    wait_reason text
) with (fillfactor = 50, vacuum_truncate = off, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index lane_run_ready on postrider.lane_run (priority, ready_at) where node_id is null;
create index lane_run_node on postrider.lane_run (node_id) where node_id is not null;
comment on table postrider.lane_run is 'the lanes with work: who leases them, or when they are ready';
comment on column postrider.lane_run.node_id is 'the node that leases the lane; null = free';
comment on column postrider.lane_run.epoch is 'generation of the lease: every write of a worker must find its own here';
comment on column postrider.lane_run.arrivals is 'jobs enqueued in this life of the row; the row goes when the job with this arrival number ends';
comment on column postrider.lane_run.head is 'no live job of the lane has a smaller id';
comment on column postrider.lane_run.edits is 'how often an unanswered message was edited; a model result for an older text is not accepted';

create table postrider.job (
    job_id          bigint not null,
    lane_id         bigint not null,
    conversation_id bigint not null,
    arrival         bigint not null,
    created_at      timestamptz not null default postrider.now(),
    started_at      timestamptz,
    finished_at     timestamptz,
    deadline_at     timestamptz,
    state           text not null check (state in ('available', 'scheduled', 'running', 'waiting', 'retryable',
                                                   'completed', 'failed', 'cancelled', 'paused')),
    kind            text not null,
    run_no          smallint not null default 0 check (run_no >= 0),
    lost            smallint not null default 0 check (lost >= 0),
    flow_version    int,
    code_version    int not null default 1,
    tokens_in       int,
    tokens_out      int,
    cost_micro      bigint,
    error_class     text,
    error           text,
    input           jsonb,
    output          jsonb,
    primary key (job_id),
    constraint job_finished_when_over check ((state in ('completed', 'failed', 'cancelled')) = (finished_at is not null)),
    constraint job_failed_says_why check ((state = 'failed') <= (error_class is not null)),
    constraint job_running_was_counted check ((state = 'running') <= (run_no > 0 and started_at is not null))
) partition by range (job_id);
create index job_lane on postrider.job (lane_id, job_id);
comment on table postrider.job is 'durable units of work; partitioned by id, dropped whole when old';
comment on column postrider.job.run_no is 'how often a worker began it; a shutdown is not counted';
comment on column postrider.job.lost is 'runs that died with their process; at 3 the job fails';
comment on column postrider.job.arrival is 'number within the lane_run row''s life';

create table postrider.step (
    job_id      bigint not null,
    attempt     smallint not null default 1 check (attempt > 0),
    seq         smallint not null,
    started_at  timestamptz not null,
    ended_at    timestamptz not null,
    next_at     timestamptz,
    node_id     bigint not null,
    key         text not null,
    outcome     text not null check (outcome in ('done', 'retry', 'failed')),
    error_class text,
    error       text,
    policy      jsonb,
    result      jsonb,
    primary key (job_id, key, attempt),
    constraint step_failure_says_why check ((outcome = 'done') = (error_class is null)),
    constraint step_retry_has_a_time check ((outcome = 'retry') = (next_at is not null))
) partition by range (job_id);
comment on table postrider.step is 'recorded tries of a job''s steps; insert-only. A step with outcome done or failed never runs again';
comment on column postrider.step.policy is 'the retry policy, frozen at the first failed try';

create table postrider.effect (
    job_id     bigint not null,
    flagged    boolean not null default false,
    planned_at timestamptz not null default postrider.now(),
    settled_at timestamptz,
    key        text not null,
    kind       text not null,
    class      text not null check (class in ('pure', 'idempotent', 'keyed', 'at_least_once', 'at_most_once', 'ask')),
    state      text not null check (state in ('planned', 'started', 'done', 'failed', 'unknown')),
    request    jsonb,
    result     jsonb,
    primary key (job_id, key)
) partition by range (job_id);
comment on table postrider.effect is 'what cannot be undone: the intent is committed before it is done, the outcome after';
comment on column postrider.effect.flagged is 'it may have been done twice: the process died, or the answer was lost, in between';

-- job, step and effect live in partitions of two million numbers (about a million turns).
create function postrider.make_partitions(ahead int default 2) returns int language plpgsql as $$
declare
    size constant bigint := 2000000;
    newest bigint := (select coalesce(last_value, 1) from postrider.number) / size;
    made int := 0;
    name text;
begin
    for p in newest .. newest + ahead loop
        if to_regclass(format('postrider.job_p%s', p)) is null then
            execute format('create table postrider.job_p%s partition of postrider.job for values from (%s) to (%s)
                            with (fillfactor = 50)', p, p * size, (p + 1) * size);
            made := made + 1;
        end if;
        if to_regclass(format('postrider.step_p%s', p)) is null then
            execute format('create table postrider.step_p%s partition of postrider.step for values from (%s) to (%s)',
                           p, p * size, (p + 1) * size);
        end if;
        if to_regclass(format('postrider.effect_p%s', p)) is null then
            execute format('create table postrider.effect_p%s partition of postrider.effect for values from (%s) to (%s)
                            with (fillfactor = 70)', p, p * size, (p + 1) * size);
        end if;
    end loop;
    return made;
end $$;
comment on function postrider.make_partitions(int) is 'keeps partitions ahead of the newest number; returns how many it made';
select postrider.make_partitions();
