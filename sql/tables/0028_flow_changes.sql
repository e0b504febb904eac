-- Which flows changed since somebody looked, so that a look costs what is new and not what there is.
--
-- A transaction that had not ended when somebody looked has a number of at least pg_snapshot_xmin() of that look's
-- snapshot: who asks for all changes from that number on misses none, in whichever order transactions end, and is told
-- some twice.

alter table postrider.flow add column changed_in xid8 not null default pg_current_xact_id();
create index flow_changed_in on postrider.flow (changed_in);
comment on column postrider.flow.changed_in is 'the transaction that made the flow, or changed last what of it starts';

alter table postrider.flow_gone add column changed_in xid8 not null default pg_current_xact_id();
create index flow_gone_changed_in on postrider.flow_gone (changed_in);
comment on column postrider.flow_gone.changed_in is 'the transaction that deleted the last flow of the name';

-- Which published flows speak of a path, a command, a chat or a bot, without reading all of them. An index takes no long
-- text, and none of these is long.
create function postrider.flow_words(opening json) returns text[] language sql immutable parallel safe as $$
    select coalesce(array_agg(distinct scalar.word), '{}')
    from (select v #>> '{}' as word from jsonb_path_query(opening::jsonb, '$.nodes[*].**') v
          where jsonb_typeof(v) in ('string', 'number')) scalar
    where octet_length(scalar.word) <= 1000
$$;
comment on function postrider.flow_words(json) is 'the texts and numbers in the nodes that something may start a flow at';
alter table postrider.flow_version
    add column words text[] not null generated always as (postrider.flow_words(postrider.flow_opening(document))) stored;
-- Publishing looks at once for what it wrote.
create index flow_version_words on postrider.flow_version using gin (words) with (fastupdate = off);
comment on column postrider.flow_version.words is 'what its opening speaks of';

-- Of a new database the views' last file does it.
do $$
begin
    if to_regprocedure('postrider.grant_reader()') is not null then perform postrider.grant_reader(); end if;
end $$;
