-- What is true of a job in each state (docs/states.md): no row can say otherwise.

-- A resend for a paused job once took the time of what it waited for away.
update postrider.job set due_at = postrider.now() where state in ('waiting', 'retryable') and due_at is null;

alter table postrider.job
    add constraint job_scheduled_is_outside_its_lane
        check (state <> 'scheduled' or (due_at is not null and arrival = 0 and run_no = 0)) not valid,
    add constraint job_parked_has_a_time check (state not in ('waiting', 'retryable') or due_at is not null) not valid,
    add constraint job_parked_was_counted
        check (state not in ('waiting', 'retryable') or (run_no > 0 and started_at is not null)) not valid,
    add constraint job_paused_says_since_when check ((state = 'paused') = (paused_at is not null)) not valid,
    add constraint job_paused_state_is_of_a_paused_job
        check (paused_state is null
               or (state = 'paused' and paused_state in ('available', 'scheduled', 'waiting', 'retryable'))) not valid;
alter table postrider.job validate constraint job_scheduled_is_outside_its_lane;
alter table postrider.job validate constraint job_parked_has_a_time;
alter table postrider.job validate constraint job_parked_was_counted;
alter table postrider.job validate constraint job_paused_says_since_when;
alter table postrider.job validate constraint job_paused_state_is_of_a_paused_job;
