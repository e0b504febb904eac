-- Budgets: what a model call may spend is reserved before it, and settled by the commit that records it
-- (docs/decisions/0033-budgets-are-reserved.md).
--
-- Locks: rows of budget_day in the order (day, scope, subject), by reservations and settlements. A reservation holds
-- them until its own commit, so that two at once are answered one after the other.

-- Each of `limits` is {scope, subject, calls, tokens, cost_micro}; 0 = no limit of that kind. Nothing is returned
-- where all of them have something left, and the call is reserved then; else the first one that has not.
create or replace function postrider.budget_reserve(
    for_job bigint, for_run text, hold int, limits jsonb, most_tokens bigint, most_cost_micro bigint, lasts interval)
returns table (empty_scope text, empty_subject text, kind text, most bigint, spent boolean, opens text) language plpgsql as $$
declare
    today constant date := postrider.day_of(postrider.now());
    b record;
    s record;
    r record;
begin
    delete from postrider.budget_hold h where h.job_id = for_job and h.run <> for_run;
    for b in select * from jsonb_to_recordset(limits)
                 as t(scope text, subject text, calls bigint, tokens bigint, cost_micro bigint) order by scope, subject loop
        insert into postrider.budget_day (day, scope, subject) values (today, b.scope, b.subject) on conflict do nothing;
        select d.calls, d.tokens, d.cost_micro into s from postrider.budget_day d
        where d.day = today and d.scope = b.scope and d.subject = b.subject for update;
        -- A statement of its own: its snapshot is newer than the lock.
        select coalesce(sum(h.calls), 0) as calls, coalesce(sum(h.tokens), 0) as tokens, coalesce(sum(h.cost_micro), 0) as cost_micro
        into r from postrider.budget_hold h
        where h.day = today and h.scope = b.scope and h.subject = b.subject and h.until_at > postrider.now();
        return query
            select b.scope, b.subject, x.kind, x.most, x.spent >= x.most, to_char(today + 1, 'YYYY-MM-DD') || ' 00:00 ' || c.timezone
            from (values ('calls', b.calls, s.calls, r.calls), ('tokens', b.tokens, s.tokens, r.tokens),
                         ('cost', b.cost_micro, s.cost_micro, r.cost_micro)) as x(kind, most, spent, reserved)
            cross join postrider.calendar c
            where x.most > 0 and x.spent + x.reserved >= x.most
            order by x.spent >= x.most desc limit 1;
        if found then return; end if;
    end loop;
    insert into postrider.budget_hold (job_id, run, number, scope, subject, day, until_at, calls, tokens, cost_micro)
    select for_job, for_run, hold, t.scope, t.subject, today, postrider.now() + lasts, 1, most_tokens, most_cost_micro
    from jsonb_to_recordset(limits) as t(scope text, subject text);
end $$;
comment on function postrider.budget_reserve(bigint, text, int, jsonb, bigint, bigint, interval) is
    'for a worker: reserves a model call of each budget, or tells which has nothing left: spent = until it opens, else others'' calls hold it';

create or replace function postrider.prune_budgets() returns bigint language sql as $$
    with holds as (
        delete from postrider.budget_hold where ctid = any(array(
            select ctid from postrider.budget_hold where until_at < postrider.now() - interval '1 day'
            order by until_at limit 5000 for update skip locked))
        returning 1),
    days as (
        delete from postrider.budget_day where ctid = any(array(
            select ctid from postrider.budget_day where day < postrider.day_of(postrider.now()) - 100
            order by day limit 5000 for update skip locked))
        returning 1),
    counts as (
        delete from postrider.message_count where ctid = any(array(
            select ctid from postrider.message_count where since < postrider.now() - interval '1 hour'
            limit 5000 for update skip locked))
        returning 1)
    select (select count(*) from holds) + (select count(*) from days) + (select count(*) from counts)
$$;
comment on function postrider.prune_budgets() is 'for the maintenance: forgets what nobody counts any more, and says how many rows that were';
