-- The durable engine: nodes, lanes, jobs, steps, effects. docs/states.md tells the states in words.

-- The one clock of stored times. Stable, so it is inlined and usable as an index condition. It stands here because
-- columns default to it.
create function postrider.now() returns timestamptz language sql stable parallel safe as
$$ select statement_timestamp() $$;
comment on function postrider.now() is 'the time of every stored instant';

-- What is true of a row of the hot tables is one function for each table. A CHECK is read from its stored text by every statement that
-- writes, before its first row: the fourteen of job took longer than its ten rows (docs/decisions/0041). A call of a function is short, and its
-- body is compiled once in a session. They raise what a CHECK raises: SQLSTATE 23514 and the constraint's name.
create function postrider.row_refused(relation text, rule text) returns boolean language plpgsql immutable parallel safe as $$
begin
    raise exception 'new row for relation "%" violates check constraint "%"', relation, rule
        using errcode = 'check_violation', schema = 'postrider', table = relation, constraint = rule;
end $$;
comment on function postrider.row_refused(text, text) is 'for the CHECKs of the hot tables: fails with the name of the rule that a row breaks';

-- Numbers jobs, nodes, events and lease epochs. cache 1: a number drawn while a lane's row is locked is greater
-- than all drawn before.
create sequence postrider.number cache 1;
comment on sequence postrider.number is 'draws job ids, node ids, event ids and lease epochs';

-- An update per node every 2 s, in place.
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
    busy        int not null default 0,
    several_suspects boolean not null default false
) with (fillfactor = 50, vacuum_truncate = off, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
comment on table postrider.node is 'one row per running server process; a node whose beat_at is 8 s old is rescued by any other';
comment on column postrider.node.boot_id is 'kernel boot: with pid_space, pid and pid_started it tells another process of the same machine that this one is gone';
comment on column postrider.node.several_suspects is
    'it died with several suspects in flight, some of which may not be rescued yet: none of them died alone';
comment on column postrider.node.pid_started is 'start time of the process in clock ticks since boot (/proc/PID/stat)';

create table postrider.lane (
    lane_id          bigint generated always as identity primary key,
    conversation_id  bigint not null default nextval('postrider.number'),
    bot_id           bigint,
    chat_id          bigint,
    paused_at        timestamptz,
    created_at       timestamptz not null default postrider.now(),
    debounce_ms      int not null default 0 check (debounce_ms between 0 and 3600000),
    debounce_most_ms int not null default 0 check (debounce_most_ms >= 0),
    lane_key         text not null unique,
    mailbox          text not null default 'queue' check (mailbox in ('queue', 'coalesce', 'interrupt', 'route'))
);
create index lane_chat on postrider.lane (bot_id, chat_id);
create index lane_paused on postrider.lane (lane_id) where paused_at is not null;
comment on table postrider.lane is 'a serial order of jobs, one row per key while anything is kept of it: bot:chat:topic, an API conversation, a schedule';
comment on column postrider.lane.conversation_id is 'the open conversation';
comment on column postrider.lane.mailbox is
    'what a message does that arrives while another is not answered: queue = a turn each, coalesce = one turn takes all that wait, '
    'interrupt = it ends the running turn, route = it answers a waiting turn''s question';
comment on column postrider.lane.debounce_ms is 'of a coalescing lane: so long it must be quiet before a turn begins';
comment on column postrider.lane.debounce_most_ms is 'of a coalescing lane: no message waits longer for quiet; 0 = ten times debounce_ms';

create function postrider.lane_run_fits(
    ready_at timestamptz, node_id bigint, arrivals bigint, head bigint, quiet_until timestamptz, edits int, priority smallint,
    suspect smallint, wants_mail boolean, asked text, wait_reason text
) returns boolean language plpgsql immutable parallel safe as $$
declare
    rule constant text := case
        when ready_at is not null and head is null then 'lane_run_idle'
        when ready_at is null and (num_nonnulls(node_id, head, quiet_until, asked, wait_reason) > 0 or arrivals <> 0 or edits <> 0
                                   or priority <> 3 or suspect <> 0 or wants_mail) then 'lane_run_idle'
        when asked not in ('cancel', 'rollback', 'pause', 'hold', 'interrupt') then 'lane_run_asked_check'
        when priority not between 0 and 3 then 'lane_run_priority'
    end;
begin
    return rule is null or postrider.row_refused('lane_run', rule);
end $$;
comment on function postrider.lane_run_fits(timestamptz, bigint, bigint, bigint, timestamptz, int, smallint, smallint, boolean, text, text) is
    'the CHECK of lane_run: a lane without work says nothing of any';

-- One row per lane, as long as the lane: made with it, idle between its bursts of messages, and deleted with it. What
-- works often looks a row up by its epoch too, or for the greatest epoch of its lane: while somebody's old snapshot keeps
-- the versions of all bursts, these look-ups meet those of one burst only. Versions come and go, so the table is vacuumed
-- often, at full speed, and without giving pages back (that takes a lock nobody else gets past).
create table postrider.lane_run (
    lane_id     bigint not null,
    epoch       bigint not null default 0,
    ready_at    timestamptz,
    node_id     bigint,
    bot_id      bigint,
    left_by     bigint,
    arrivals    bigint not null default 0,
    head        bigint,
    quiet_until timestamptz,
    edits       int not null default 0,
    priority    smallint not null default 2,
    suspect     smallint not null default 0,
    wants_mail  boolean not null default false,
    closed      boolean not null default false,
    mailbox     text not null default 'queue',
    asked       text,
    wait_reason text,
    primary key (lane_id, epoch),
    constraint lane_run_fits check (postrider.lane_run_fits(
        ready_at, node_id, arrivals, head, quiet_until, edits, priority, suspect, wants_mail, asked, wait_reason))
) with (fillfactor = 50, vacuum_truncate = off, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index lane_run_ready on postrider.lane_run (priority, ready_at) where node_id is null and ready_at is not null;
create index lane_run_leased on postrider.lane_run (epoch, node_id) where node_id is not null;
create index lane_run_held on postrider.lane_run (lane_id) where ready_at = 'infinity';
-- A burst that a node leases as it arrives never stands in it. Only what asks for a bot can use it.
create index lane_run_bot on postrider.lane_run (bot_id, ready_at)
    where node_id is null and ready_at < 'infinity' and bot_id is not null;
create index lane_run_suspect on postrider.lane_run (ready_at) where suspect > 0;
comment on table postrider.lane_run is 'one row per lane: who leases it, or when it is ready, or that it is idle';
comment on column postrider.lane_run.ready_at is 'when it may run; null = it is idle, and of the columns below only bot_id and closed have a meaning';
comment on column postrider.lane_run.node_id is 'the node that leases the lane; null = free';
comment on column postrider.lane_run.bot_id is 'that of the lane, which never changes';
comment on column postrider.lane_run.left_by is
    'the node that gave the first job back since it cannot run it: it takes the lane again only some seconds after ready_at';
comment on column postrider.lane_run.epoch is 'generation of the lease, which only grows: every write of a worker must find its own here';
comment on column postrider.lane_run.arrivals is 'jobs enqueued in this burst; the lane is idle again when the job with this arrival number ends';
comment on column postrider.lane_run.head is 'no live job of the lane has a smaller id';
comment on column postrider.lane_run.edits is 'how often an unanswered message was edited; a model result for an older text is not accepted';
comment on column postrider.lane_run.asked is 'to the node that leases it: cancel, roll back or pause the running job, hold the lane, or make way for a newer message';
comment on column postrider.lane_run.priority is 'that of the most urgent job enqueued in this burst; 3 while the lane is idle, so that least() takes that of the first';
comment on column postrider.lane_run.wants_mail is 'its head waits for a message, or hears of it, so an arrival makes the lane ready';
comment on column postrider.lane_run.suspect is
    'in how many deaths of a process in a row the lane''s first job was in flight; 0 = it is no suspect. A node runs one suspect at a time';
comment on column postrider.lane_run.closed is 'its conversation was deleted: what arrives for it is refused';
comment on column postrider.lane_run.quiet_until is 'of a coalescing lane: no debounce goes beyond';

-- Here, as the table above needs it. Nobody else inserts a row of lane_run: so a lane has one, whoever makes the lane. Messages to
-- chats never seen before come in batches: one insert for all of their lanes, not one for each.
create function postrider.make_lane_runs() returns trigger language plpgsql as $$
begin
    insert into postrider.lane_run (lane_id, bot_id, priority) select l.lane_id, l.bot_id, 3 from new_lanes l;
    return null;
end $$;
comment on function postrider.make_lane_runs() is 'for the trigger of lane: new lanes are idle';
create trigger make_lane_runs after insert on postrider.lane referencing new table as new_lanes
    for each statement execute function postrider.make_lane_runs();

create function postrider.job_fits(
    arrival bigint, started_at timestamptz, finished_at timestamptz, due_at timestamptz, paused_at timestamptz, run_no int, lost smallint,
    priority smallint, state text, asked text, paused_state text, error_class text, degraded boolean
) returns boolean language plpgsql immutable parallel safe as $$
declare
    rule constant text := case
        when state not in ('available', 'scheduled', 'running', 'waiting', 'retryable', 'completed', 'failed', 'cancelled', 'paused')
            then 'job_state_check'
        when (state in ('completed', 'failed', 'cancelled')) <> (finished_at is not null) then 'job_finished_when_over'
        when state = 'failed' and error_class is null then 'job_failed_says_why'
        when degraded is not null and not (degraded and state = 'completed' and error_class is not null) then 'job_degraded_says_why'
        when state = 'running' and (run_no = 0 or started_at is null) then 'job_running_was_counted'
        when state = 'scheduled' and (due_at is null or arrival <> 0 or run_no <> 0) then 'job_scheduled_is_outside_its_lane'
        when state in ('waiting', 'retryable') and due_at is null then 'job_parked_has_a_time'
        when state in ('waiting', 'retryable') and (run_no = 0 or started_at is null) then 'job_parked_was_counted'
        when (state = 'paused') <> (paused_at is not null) then 'job_paused_says_since_when'
        when paused_state is not null
             and not (state = 'paused' and paused_state in ('available', 'scheduled', 'waiting', 'retryable'))
            then 'job_paused_state_is_of_a_paused_job'
        when asked not in ('cancel', 'rollback', 'pause') then 'job_asked_check'
        when run_no < 0 then 'job_run_no_check'
        when lost < 0 then 'job_lost_check'
        when priority not between 0 and 3 then 'job_priority_check'
    end;
begin
    return rule is null or postrider.row_refused('job', rule);
end $$;
comment on function postrider.job_fits(bigint, timestamptz, timestamptz, timestamptz, timestamptz, int, smallint, smallint, text, text, text, text, boolean) is
    'the CHECK of job: what is true in each state (docs/states.md)';

create table postrider.job (
    job_id          bigint not null,
    lane_id         bigint not null,
    conversation_id bigint not null,
    arrival         bigint not null,
    created_at      timestamptz not null default postrider.now(),
    begun_at        timestamptz,
    started_at      timestamptz,
    finished_at     timestamptz,
    due_at          timestamptz,
    deadline_at     timestamptz,
    paused_at       timestamptz,
    forked_from     bigint,
    tokens_in       bigint,
    tokens_out      bigint,
    tokens_cached   bigint,
    cost_micro      bigint,
    run_no          int not null default 0,
    restarts        int not null default 0,
    flow_version    int,
    code_version    int not null default 1,
    lost            smallint not null default 0,
    priority        smallint not null default 2,
    degraded        boolean,
    state           text not null,
    kind            text not null,
    wait_reason     text,
    asked           text,
    paused_state    text,
    error_class     text,
    error           text,
    rolling_back    jsonb,
    input           jsonb,
    output          jsonb,
    failed          boolean generated always as (nullif(state = 'failed', false)) stored,
    primary key (job_id),
    constraint job_fits check (postrider.job_fits(
        arrival, started_at, finished_at, due_at, paused_at, run_no, lost, priority, state, asked, paused_state, error_class, degraded))
) partition by range (job_id);
create index job_lane on postrider.job (lane_id, job_id);
-- Of columns that running jobs never change, so that their updates stay HOT.
create index job_paused on postrider.job (paused_at) where paused_at is not null;
create index job_failed on postrider.job (job_id) where failed;
create index job_degraded on postrider.job (job_id) where degraded;
comment on table postrider.job is 'durable units of work; partitioned by id, dropped whole when old';
comment on column postrider.job.run_no is 'how often a worker began it; a shutdown is not counted';
comment on column postrider.job.lost is
    'runs that died with their process while the job was the only suspect there; at 3 the job fails';
comment on column postrider.job.arrival is 'number within its lane''s burst of jobs; 0 = put back from outside';
comment on column postrider.job.due_at is 'it is not run before: a parked job''s wake-up, a scheduled job''s time; null = at once';
comment on column postrider.job.wait_reason is 'why it is parked, in words';
comment on column postrider.job.asked is 'what a person asked of it while it ran or waited, until its worker has done so';
comment on column postrider.job.rolling_back is 'the ending {state, error_class, error} that it comes to once its rollback is through';
comment on column postrider.job.restarts is 'how often it was begun anew; records of earlier lives have ~N behind their keys';
comment on column postrider.job.forked_from is 'the job whose input and first steps it was given';
comment on column postrider.job.priority is '0 urgent, 1 high, 2 normal, 3 low; a lower one yields, but ages and is never starved';
comment on column postrider.job.begun_at is 'when its present life began, if it was begun anew; its deadline counts from there';
comment on column postrider.job.paused_at is 'since when it is paused';
comment on column postrider.job.failed is 'true or null: for the index of dead letters';
comment on column postrider.job.tokens_in is 'what its models read, cached tokens included';
comment on column postrider.job.tokens_cached is 'of tokens_in: what the providers had in their prompt caches';
comment on column postrider.job.cost_micro is 'millionths of the currency that the models'' prices are in; null = no price is configured';
comment on column postrider.job.degraded is
    'true or null: completed without what was asked for, of which whoever asked was told; error_class says why';
comment on column postrider.job.paused_state is 'the state it was paused in, which resuming gives back; null = available';

create function postrider.step_fits(next_at timestamptz, attempt smallint, outcome text, error_class text)
returns boolean language plpgsql immutable parallel safe as $$
declare
    rule constant text := case
        when outcome not in ('done', 'retry', 'failed') then 'step_outcome_check'
        when (outcome = 'done') <> (error_class is null) then 'step_failure_says_why'
        -- A sleep is one row, done as soon as it begins.
        when outcome = 'retry' and next_at is null or outcome = 'failed' and next_at is not null then 'step_retry_has_a_time'
        when attempt <= 0 then 'step_attempt_check'
    end;
begin
    return rule is null or postrider.row_refused('step', rule);
end $$;
comment on function postrider.step_fits(timestamptz, smallint, text, text) is 'the CHECK of step';

create table postrider.step (
    job_id      bigint not null,
    started_at  timestamptz not null,
    ended_at    timestamptz not null,
    next_at     timestamptz,
    node_id     bigint not null,
    attempt     smallint not null default 1,
    seq         smallint not null,
    key         text not null,
    outcome     text not null,
    error_class text,
    error       text,
    policy      jsonb,
    result      jsonb,
    usage       jsonb,
    primary key (job_id, key, attempt),
    constraint step_fits check (postrider.step_fits(next_at, attempt, outcome, error_class))
) partition by range (job_id);
-- Steps are inserted and never changed, so that no update pays for it.
create index step_paid on postrider.step (ended_at) where usage is not null;
comment on table postrider.step is 'recorded tries of a job''s steps; insert-only. A step with outcome done or failed never runs again';
comment on column postrider.step.policy is 'the retry policy, frozen at the first failed try';
comment on column postrider.step.next_at is 'of a failed try: when the next is due; of a sleep: when it ends';
comment on column postrider.step.usage is
    'what this try paid: {tokens_in, tokens_out, tokens_cached, cost_micro}; null = nothing. A fork''s copies of steps paid nothing';

create function postrider.effect_fits(class text, state text) returns boolean language plpgsql immutable parallel safe as $$
declare
    rule constant text := case
        when class not in ('pure', 'idempotent', 'keyed', 'at_least_once', 'at_most_once', 'ask') then 'effect_class_check'
        when state not in ('planned', 'started', 'done', 'failed', 'unknown') then 'effect_state_check'
    end;
begin
    return rule is null or postrider.row_refused('effect', rule);
end $$;
comment on function postrider.effect_fits(text, text) is 'the CHECK of effect';

create table postrider.effect (
    job_id     bigint not null,
    planned_at timestamptz not null default postrider.now(),
    settled_at timestamptz,
    flagged    boolean not null default false,
    key        text not null,
    kind       text not null,
    class      text not null,
    state      text not null,
    request    jsonb,
    result     jsonb,
    doubted    boolean generated always as (nullif(flagged or state = 'unknown', false)) stored,
    primary key (job_id, key),
    constraint effect_fits check (postrider.effect_fits(class, state))
) partition by range (job_id);
-- Of a column that stays null where all goes well, so that the update of the outcome is HOT.
create index effect_doubted on postrider.effect (job_id) where doubted;
comment on table postrider.effect is 'what cannot be undone: the intent is committed before it is done, the outcome after';
comment on column postrider.effect.doubted is 'true or null: for the index of effects in doubt';
comment on column postrider.effect.flagged is 'it may have been done twice: the process died, or the answer was lost, in between';

create type postrider.operation_result as (job_id bigint, scope text, done boolean, state text, code text, detail text);
comment on type postrider.operation_result is
    'done: it is so, or a worker was asked; state: afterwards; code: done, asked, unchanged, or why it was refused; detail: for people';
