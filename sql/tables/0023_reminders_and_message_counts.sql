-- Reminders are schedules of the kind `reminder`, found by the person whose they are; and how many messages a
-- person has sent within a minute, where that is bounded.

create index schedule_reminder on postrider.schedule ((input ->> 'user')) where kind = 'reminder';
comment on index postrider.schedule_reminder is 'the reminders of a person; their text, their place and their lane stand in the input';

create table postrider.message_count (
    user_id  bigint primary key,
    messages bigint not null,
    since    timestamptz not null
) with (fillfactor = 50, vacuum_truncate = off);
comment on table postrider.message_count is
    'how many messages a person has sent since the beginning of the present minute of that person; written where budgets.messages_per_minute is set';
comment on column postrider.message_count.since is 'the first message after a minute begins the next one';

-- Of a new database the views' last file does it.
do $$
begin
    if to_regprocedure('postrider.grant_reader()') is not null then perform postrider.grant_reader(); end if;
end $$;
