-- What model calls cost by the day, and what they may cost.

create table postrider.calendar (
    only_row boolean primary key default true check (only_row),
    timezone text not null default 'UTC' check ('epoch'::timestamptz at time zone timezone is not null)
);
insert into postrider.calendar default values;
comment on table postrider.calendar is 'one row: where a day of usage and of budgets begins';
comment on column postrider.calendar.timezone is 'budgets.timezone of the configuration, as the server stored it when it started';

create table postrider.budget_day (
    day        date not null,
    calls      bigint not null default 0,
    tokens     bigint not null default 0,
    cost_micro bigint not null default 0,
    scope      text not null check (scope in ('total', 'user', 'chat', 'agent', 'flow')),
    subject    text not null,
    primary key (day, scope, subject)
) with (fillfactor = 50, vacuum_truncate = off, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
comment on table postrider.budget_day is 'what was spent of a budget on a day; what is reserved beside stands in budget_hold';
comment on column postrider.budget_day.subject is 'whose: the id of a user or chat, a conversation''s UUID, the name of an agent or flow; of total: empty';

create table postrider.budget_hold (
    job_id     bigint not null,
    until_at   timestamptz not null,
    calls      bigint not null,
    tokens     bigint not null,
    cost_micro bigint not null,
    day        date not null,
    number     int not null,
    run        text not null,
    scope      text not null,
    subject    text not null,
    primary key (job_id, run, number, scope)
) with (vacuum_truncate = off, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
create index budget_hold_day on postrider.budget_hold (day, scope, subject);
create index budget_hold_until on postrider.budget_hold (until_at);
comment on table postrider.budget_hold is
    'what model calls in flight have reserved of a budget; a row goes with the commit that records the call, and then alone counts as spent';
comment on column postrider.budget_hold.run is 'drawn by the run of the job that asked: a later run gives back what an earlier one left';
comment on column postrider.budget_hold.until_at is 'longer than the call may take: what is reserved does not count after it';
