-- What is true of a row of the hot tables, as one function for each table. A CHECK is read from its stored text by every statement that
-- writes, before its first row: the fourteen of job took longer than its ten rows (docs/decisions/0041). A call of a function is short, and its
-- body is compiled once in a session. They raise what a CHECK raises: SQLSTATE 23514 and the constraint's name.

create function postrider.row_refused(relation text, rule text) returns boolean language plpgsql immutable parallel safe as $$
begin
    raise exception 'new row for relation "%" violates check constraint "%"', relation, rule
        using errcode = 'check_violation', schema = 'postrider', table = relation, constraint = rule;
end $$;
comment on function postrider.row_refused(text, text) is 'for the CHECKs of the hot tables: fails with the name of the rule that a row breaks';

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

create function postrider.inbox_fits(disposition text, reason text, raw bytea) returns boolean language plpgsql immutable parallel safe as $$
declare
    rule constant text := case
        when disposition not in ('job', 'event', 'ignored', 'rejected') then 'inbox_disposition_check'
        when (disposition in ('ignored', 'rejected')) <> (reason is not null) then 'inbox_reason'
        when raw is not null and disposition <> 'rejected' then 'inbox_raw_only_where_rejected'
    end;
begin
    return rule is null or postrider.row_refused('inbox', rule);
end $$;
comment on function postrider.inbox_fits(text, text, bytea) is 'the CHECK of inbox';

create function postrider.message_fits(role text, delivery text) returns boolean language plpgsql immutable parallel safe as $$
declare
    rule constant text := case
        when role not in ('system', 'user', 'assistant', 'tool') then 'message_role_check'
        when delivery not in ('pending', 'sent', 'failed', 'unknown') then 'message_delivery_check'
    end;
begin
    return rule is null or postrider.row_refused('message', rule);
end $$;
comment on function postrider.message_fits(text, text) is 'the CHECK of message';

create function postrider.audit_fits(number bigint, content_hash bytea, hash bytea) returns boolean language plpgsql immutable parallel safe as $$
declare
    rule constant text := case
        when number <= 0 then 'audit_number_check'
        when octet_length(content_hash) <> 32 then 'audit_content_hash_check'
        when octet_length(hash) <> 32 then 'audit_hash_check'
    end;
begin
    return rule is null or postrider.row_refused('audit', rule);
end $$;
comment on function postrider.audit_fits(bigint, bytea, bytea) is 'the CHECK of audit';

-- In the order in which transactions lock them. The rows were held by the rules that are dropped, which are these: nobody reads them again.
lock table postrider.inbox, postrider.lane_run, postrider.job, postrider.step, postrider.effect, postrider.message, postrider.audit
    in access exclusive mode;
alter table postrider.job
    drop constraint job_state_check, drop constraint job_finished_when_over, drop constraint job_failed_says_why,
    drop constraint job_degraded_says_why, drop constraint job_running_was_counted, drop constraint job_scheduled_is_outside_its_lane,
    drop constraint job_parked_has_a_time, drop constraint job_parked_was_counted, drop constraint job_paused_says_since_when,
    drop constraint job_paused_state_is_of_a_paused_job, drop constraint job_asked_check, drop constraint job_run_no_check,
    drop constraint job_lost_check, drop constraint job_priority_check,
    add constraint job_fits check (postrider.job_fits(
        arrival, started_at, finished_at, due_at, paused_at, run_no, lost, priority, state, asked, paused_state, error_class, degraded)) not valid;
alter table postrider.lane_run
    drop constraint lane_run_idle, drop constraint lane_run_asked_check, drop constraint lane_run_priority,
    add constraint lane_run_fits check (postrider.lane_run_fits(
        ready_at, node_id, arrivals, head, quiet_until, edits, priority, suspect, wants_mail, asked, wait_reason)) not valid;
alter table postrider.step
    drop constraint step_outcome_check, drop constraint step_failure_says_why, drop constraint step_retry_has_a_time,
    drop constraint step_attempt_check,
    add constraint step_fits check (postrider.step_fits(next_at, attempt, outcome, error_class)) not valid;
alter table postrider.effect
    drop constraint effect_class_check, drop constraint effect_state_check,
    add constraint effect_fits check (postrider.effect_fits(class, state)) not valid;
alter table postrider.inbox
    drop constraint inbox_disposition_check, drop constraint inbox_reason, drop constraint inbox_raw_only_where_rejected,
    add constraint inbox_fits check (postrider.inbox_fits(disposition, reason, raw)) not valid;
alter table postrider.message
    drop constraint message_role_check, drop constraint message_delivery_check,
    add constraint message_fits check (postrider.message_fits(role, delivery)) not valid;
alter table postrider.audit
    drop constraint audit_number_check, drop constraint audit_content_hash_check, drop constraint audit_hash_check,
    add constraint audit_fits check (postrider.audit_fits(number, content_hash, hash)) not valid;
