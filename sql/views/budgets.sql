-- Today's budgets. The configuration has their limits.

create view postrider.budgets_today as
select d.scope, d.subject, d.calls, d.tokens, round(d.cost_micro / 1e6, 6) as cost, h.calls as calls_reserved, h.tokens as tokens_reserved,
       round(h.cost_micro / 1e6, 6) as cost_reserved, postrider.day_begins(d.day + 1) as opens_at
from postrider.budget_day d
cross join lateral (
    select coalesce(sum(h.calls), 0)::bigint as calls, postrider.as_bigint(coalesce(sum(h.tokens), 0)) as tokens, coalesce(sum(h.cost_micro), 0) as cost_micro
    from postrider.budget_hold h
    where h.day = d.day and h.scope = d.scope and h.subject = d.subject and h.until_at > postrider.now()) h
where d.day = postrider.day_of(postrider.now());
comment on view postrider.budgets_today is 'today''s budgets: the amounts spent, and the amounts reserved by running calls; cost in US dollars';
comment on column postrider.budgets_today.opens_at is 'when the next day begins';
