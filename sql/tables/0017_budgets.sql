-- What model calls cost, by the day.

create table postrider.calendar (
    only_row boolean primary key default true check (only_row),
    timezone text not null default 'UTC' check ('epoch'::timestamptz at time zone timezone is not null)
);
insert into postrider.calendar default values;
comment on table postrider.calendar is 'one row: where a day of usage and of budgets begins';
comment on column postrider.calendar.timezone is 'budgets.timezone of the configuration, as the server stored it when it started';

-- Steps are inserted and never changed, so that no update pays for it.
create index step_paid on postrider.step (ended_at) where usage is not null;

-- Of a new database the views' last file does it.
do $$
begin
    if to_regprocedure('postrider.grant_reader()') is not null then perform postrider.grant_reader(); end if;
end $$;
