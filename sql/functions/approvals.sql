-- A person's word on a call that waits for it. Locks as in job_operations.sql, then the approval.

create or replace function postrider.approval_state(approval postrider.approval) returns text language sql stable as $$
    select case
        when approval.state <> 'waiting' then approval.state
        when approval.expires_at <= postrider.now() then 'expired'
        when exists (select from postrider.job j where j.job_id = approval.job_id and not postrider.job_is_over(j)) then 'waiting'
        else 'withdrawn'
    end
$$;
comment on function postrider.approval_state(postrider.approval) is
    'its state, for people: what waits is expired once its time is up, and withdrawn once its turn is over';

create or replace function postrider.approval_answer(approval postrider.approval, code text, detail text default null)
returns postrider.operation_result language sql stable as $$
    select approval.job_id, approval.approval_id, code = 'done', postrider.approval_state(approval), code, detail
$$;
comment on function postrider.approval_answer(postrider.approval, text, text) is
    'for the functions of this schema: what became of a decision; scope is the approval''s id, state the approval''s';

create or replace function postrider.approval_decide(approval text, approve boolean, decider bigint default null, via text default 'sql')
returns postrider.operation_result language plpgsql as $$
declare
    a postrider.approval;
    j postrider.job;
begin
    select * into a from postrider.approval x where x.approval_id = approval;
    if not found then
        return (null, approval, false, null, 'not_found', 'there is no approval ' || approval)::postrider.operation_result;
    end if;
    j := postrider.job_lock(a.job_id);
    select * into a from postrider.approval x where x.approval_id = approval for update;
    if a.state = 'withdrawn' and (j.job_id is null or postrider.job_is_over(j)) then
        return postrider.approval_answer(a, 'over', 'its turn is over');
    end if;
    if a.state <> 'waiting' then return postrider.approval_answer(a, 'over', 'it is ' || a.state || ' already'); end if;
    if a.expires_at <= postrider.now() then return postrider.approval_answer(a, 'over', 'its time is up'); end if;
    if j.job_id is null or postrider.job_is_over(j) then return postrider.approval_answer(a, 'over', 'its turn is over'); end if;
    -- A press takes the question's row away, the end of the wait its wait: what the turn reads then, stands.
    perform from postrider.question q where q.question_id = a.question for update;
    if not found then return postrider.approval_answer(a, 'over', 'nobody waits for it any more'); end if;
    if not exists (select from postrider.wait w where w.job_id = a.job_id and w.type = 'press' and w.match = a.question) then
        return postrider.approval_answer(a, 'not_yet', 'its question is just being asked, or answered: try again in a moment');
    end if;
    update postrider.approval x
    set state = case when approve then 'approved' else 'rejected' end, decided_at = postrider.now(), decided_by = decider,
        decided_via = via
    where x.approval_id = approval returning * into a;
    if not exists (select from postrider.approval x
                   where x.question = a.question and x.state = 'waiting') then
        delete from postrider.question q where q.question_id = a.question;
        perform postrider.deliver_event(a.lane_id, a.job_id, 'press', jsonb_build_object('calls', (
            select jsonb_object_agg(x.call, jsonb_build_object('state', x.state, 'by', x.decided_by, 'via', x.decided_via))
            from postrider.approval x where x.question = a.question)), a.question);
    end if;
    return postrider.approval_answer(a, 'done');
end $$;
comment on function postrider.approval_decide(text, boolean, bigint, text) is
    'approves or rejects a call that waits; once every call of its question is decided, the turn goes on';

create or replace function postrider.prune_approvals(keep interval, most int default 5000) returns bigint language sql as $$
    with gone as (
        delete from postrider.approval where ctid = any(array(
            select a.ctid from postrider.approval a
            where a.created_at < postrider.now() - keep
              and not exists (select from postrider.job j where j.job_id = a.job_id and j.finished_at is null offset 0)
            limit most for update skip locked))
        returning 1
    )
    select count(*) from gone
$$;
comment on function postrider.prune_approvals(interval, int) is 'for the maintenance: deletes approvals that are older, except those of jobs that are not over; a bounded number';
