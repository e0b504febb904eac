-- Partitions: always some ahead, old ones go whole, live stragglers stay.
--
-- Locks, because everybody works on these tables at once:
--   make_partitions   share update exclusive on the parents (attach, not "create ... partition of", which takes
--                     access exclusive and would queue everybody behind the slowest reader)
--   prune_partitions  a trigger on the old partition (share row exclusive, on it alone); later access exclusive
--                     on the three parents, for which it waits 100 ms at most and which it holds for
--                     milliseconds, however large the partition is (docs/decisions/0010-old-partitions-go-whole.md)
--   turn_partition    stops the number sequence for the time of its own commit
-- Always in the order step, effect, job: the order of a worker's commit.

create function postrider.partition_size() returns bigint language sql immutable parallel safe as $$ select 2000000::bigint $$;
comment on function postrider.partition_size() is 'numbers per partition of job, step and effect: about a million turns';

create function postrider.make_partition(what text, name text) returns void language plpgsql as $$
begin
    execute format('create table postrider.%I (like postrider.%I including all) with (%s)', name, what,
        case what
            -- A job is written three times, in place. Half of the page for it, and vacuum need not hurry.
            when 'job' then 'fillfactor = 50, autovacuum_analyze_scale_factor = 0.05'
            when 'effect' then 'fillfactor = 70'
            else 'fillfactor = 100' end);
    if to_regrole('postrider_reader') is not null then
        execute format('grant select on postrider.%I to postrider_reader', name);
    end if;
end $$;
comment on function postrider.make_partition(text, text) is 'a table like job, step or effect, to be attached; for the functions of this schema';

create or replace function postrider.make_partitions(ahead int default 2) returns int
language plpgsql set lock_timeout = '1s' as $$
declare
    size constant bigint := postrider.partition_size();
    newest bigint := (select last_value from postrider.number) / size;
    made int := 0;
    what text;
begin
    if not exists (select from generate_series(newest, newest + ahead) p
                   where to_regclass(format('postrider.job_p%s', p)) is null) then
        return 0;
    end if;
    -- Two nodes may come at once: the second waits here, and finds them made.
    lock table only postrider.step, only postrider.effect, only postrider.job in share update exclusive mode;
    for p in newest .. newest + ahead loop
        continue when to_regclass(format('postrider.job_p%s', p)) is not null;
        foreach what in array array['step', 'effect', 'job'] loop
            perform postrider.make_partition(what, what || '_p' || p);
            execute format('alter table postrider.%I attach partition postrider.%I for values from (%s) to (%s)',
                           what, what || '_p' || p, p * size, (p + 1) * size);
        end loop;
        made := made + 1;
    end loop;
    return made;
exception when lock_not_available or deadlock_detected then
    return 0; -- the next call, in seconds, has millions of numbers left
end $$;
comment on function postrider.make_partitions(int) is
    'keeps partitions ahead of the newest number; returns how many it made, 0 also when it could not have its locks';

-- A quiet server would fill a partition in years, and nothing in it would ever be old as a whole. The
-- sequence then leaves the rest of the range out. Sequence numbers are plenty; they only ascend.
create function postrider.turn_partition(age interval) returns boolean
language plpgsql set lock_timeout = '100ms' as $$
declare
    size constant bigint := postrider.partition_size();
    began bigint := (select last_value from postrider.number) / size * size;
    oldest timestamptz;
begin
    select created_at into oldest from postrider.job where job_id >= began order by job_id limit 1;
    if oldest is null or oldest > postrider.now() - age then return false; end if;
    perform postrider.make_partitions();
    if to_regclass(format('postrider.job_p%s', began / size + 1)) is null then return false; end if;
    -- Changes nothing, but nobody draws a number between here and the commit.
    alter sequence postrider.number cache 1;
    if (select last_value from postrider.number) >= began + size then return false; end if;
    execute format('alter sequence postrider.number restart with %s', began + size);
    return true;
exception when lock_not_available or deadlock_detected then
    return false;
end $$;
comment on function postrider.turn_partition(interval) is
    'goes on with the next partition when the first job of the present one is older than this; true when it did';

create table postrider.duty (
    name text primary key
);
insert into postrider.duty values ('retention');
comment on table postrider.duty is 'what one node at a time does: who locks the row does it';

create table postrider.retiring (
    part       bigint primary key,
    watched_at timestamptz not null default postrider.now(),
    later_at   timestamptz not null default postrider.now(),
    listed     boolean not null default false
);
comment on table postrider.retiring is 'partitions that are about to be dropped';
comment on column postrider.retiring.listed is 'its live jobs stand in straggler; those that come to life since are added by a trigger';
comment on column postrider.retiring.later_at is 'not tried before';

create table postrider.straggler (
    part   bigint not null,
    job_id bigint not null
);
comment on table postrider.straggler is 'jobs of a retiring partition that may have to stay';

create function postrider.note_straggler() returns trigger language plpgsql as $$
begin
    insert into postrider.straggler (part, job_id) values (new.job_id / postrider.partition_size(), new.job_id);
    return null;
end $$;
comment on function postrider.note_straggler() is 'trigger of a retiring partition: notes every job that changes';

-- The lowest partition of which no number is drawn any more and whose newest job is older.
create function postrider.due_partition(oldest timestamptz) returns bigint language plpgsql as $$
declare
    size constant bigint := postrider.partition_size();
    p bigint;
    newest timestamptz;
begin
    for p in select substring(c.relname from 6)::bigint as n
             from pg_inherits i join pg_class c on c.oid = i.inhrelid
             where i.inhparent = 'postrider.job'::regclass and c.relname ~ '^job_p[0-9]+$'
               and substring(c.relname from 6)::bigint < (select last_value from postrider.number) / size
             order by n
    loop
        -- Of an empty one the first job after it tells how old it is.
        select coalesce(
            (select created_at from postrider.job where job_id >= p * size and job_id < (p + 1) * size
             order by job_id desc limit 1),
            (select created_at from postrider.job where job_id >= (p + 1) * size order by job_id limit 1))
        into newest;
        if newest is null or newest >= oldest then return null; end if;
        if not exists (select from postrider.retiring r where r.part = p) then return p; end if;
    end loop;
    return null;
end $$;
comment on function postrider.due_partition(timestamptz) is 'the first partition whose jobs were all made before; for prune_partitions';

-- Replaces the partition, and keep partitions beside it, by one small keep partition of what must stay. In one
-- transaction: who waited for the locks finds every job that stays. Returns how many stay.
create function postrider.swap_partition(the_part bigint, oldest timestamptz, out kept bigint, out held interval)
language plpgsql as $$
declare
    size constant bigint := postrider.partition_size();
    first bigint := the_part;
    behind bigint := the_part + 1;
    gone text[] := array['p' || the_part];
    neighbour record;
    name text;
    what text;
    old text;
    began timestamptz;
begin
    for neighbour in
        select substring(c.relname from '^job_(.*)$') as suffix, m[1]::bigint as a, m[2]::bigint as b
        from pg_inherits i join pg_class c on c.oid = i.inhrelid,
             regexp_match(c.relname, '^job_keep_([0-9]+)_([0-9]+)$') m
        where i.inhparent = 'postrider.job'::regclass and (m[1]::bigint = the_part + 1 or m[2]::bigint = the_part)
    loop
        gone := gone || neighbour.suffix;
        first := least(first, neighbour.a);
        behind := greatest(behind, neighbour.b);
    end loop;
    name := format('keep_%s_%s', first, behind);
    foreach what in array array['step', 'effect', 'job'] loop
        perform postrider.make_partition(what, what || '_' || name);
    end loop;

    lock table only postrider.step, only postrider.effect, only postrider.job in access exclusive mode;
    began := clock_timestamp();
    execute format(
        'insert into postrider.job_%s select * from postrider.job
         where (job_id = any(array(select job_id from postrider.straggler where part = $1))
                or job_id >= $2 and job_id < $3 or job_id >= $4 and job_id < $5)
           and (finished_at is null or finished_at >= $6)', name)
        using the_part, first * size, the_part * size, (the_part + 1) * size, behind * size, oldest;
    get diagnostics kept = row_count;
    foreach what in array array['step', 'effect'] loop
        execute format('insert into postrider.%1$s_%2$s select * from postrider.%1$s
                        where job_id = any(array(select job_id from postrider.job_%2$s))', what, name);
    end loop;
    foreach what in array array['step', 'effect', 'job'] loop
        foreach old in array gone loop
            execute format('alter table postrider.%1$s detach partition postrider.%1$s_%2$s', what, old);
            execute format('drop table postrider.%s_%s', what, old);
        end loop;
        if kept > 0 then
            execute format('alter table postrider.%1$s attach partition postrider.%1$s_%2$s for values from (%3$s) to (%4$s)',
                           what, name, first * size, behind * size);
        else
            execute format('drop table postrider.%s_%s', what, name);
        end if;
    end loop;
    delete from postrider.straggler where part = the_part;
    delete from postrider.retiring where part = the_part;
    held := clock_timestamp() - began;
end $$;
comment on function postrider.swap_partition(bigint, timestamptz) is
    'for prune_partitions: a partition goes, its live jobs stay; raises lock_not_available when somebody reads for long';

create function postrider.prune_partitions(
    keep interval, most int default 5000, out done text, out part bigint, out kept bigint, out held interval
) language plpgsql set lock_timeout = '100ms' as $$
declare
    oldest timestamptz := postrider.now() - keep;
    one postrider.retiring;
begin
    perform from postrider.duty d where d.name = 'retention' for update skip locked;
    if not found then return; end if;
    select * into one from postrider.retiring r where r.later_at <= postrider.now() order by r.part limit 1;
    if not found then
        part := postrider.due_partition(oldest);
        if part is null then return; end if;
        execute format('create trigger note_straggler after insert or update on postrider.job_p%s
                        for each row execute function postrider.note_straggler()', part);
        insert into postrider.retiring (part) values (prune_partitions.part);
        done := 'watched';
        return;
    end if;
    part := one.part;
    if not one.listed then
        -- The long look, beside everybody's work: what changes from here on is noted by the trigger.
        execute format('insert into postrider.straggler (part, job_id) select $1, job_id from postrider.job_p%s
                        where finished_at is null or finished_at >= $2 limit $3', part)
            using part, oldest, most + 1;
        update postrider.retiring r set listed = true where r.part = one.part;
    end if;
    if (select count(*) from (select from postrider.straggler s where s.part = one.part limit most + 1) s) > most then
        done := 'crowded';
        delete from postrider.straggler s where s.part = one.part;
        update postrider.retiring r set listed = false, later_at = postrider.now() + interval '1 hour' where r.part = one.part;
        return;
    end if;
    begin
        select s.kept, s.held into kept, held from postrider.swap_partition(part, oldest) s;
        done := 'dropped';
    exception when lock_not_available or deadlock_detected then
        done := 'busy';
    end;
exception when lock_not_available or deadlock_detected then
    done := 'busy';
end $$;
comment on function postrider.prune_partitions(interval, int) is
    'the next act for the oldest partition that is due, a transaction each: watched, then dropped (kept jobs stay); '
    'busy = somebody reads for long, crowded = more than `most` jobs would stay: tried again later. Null: nothing to do';

create function postrider.prune_kept(keep interval) returns bigint language plpgsql as $$
declare
    name text;
    n bigint;
    total bigint := 0;
begin
    perform from postrider.duty d where d.name = 'retention' for update skip locked;
    if not found then return 0; end if;
    for name in select substring(c.relname from '^job_(.*)$') from pg_inherits i join pg_class c on c.oid = i.inhrelid
                where i.inhparent = 'postrider.job'::regclass and c.relname like 'job\_keep\_%'
    loop
        execute format('with gone as (delete from postrider.job_%1$s where finished_at < $1 returning job_id),
                             s as (delete from postrider.step_%1$s where job_id = any(array(select job_id from gone))),
                             e as (delete from postrider.effect_%1$s where job_id = any(array(select job_id from gone)))
                        select count(*) from gone', name) into n using postrider.now() - keep;
        total := total + n;
    end loop;
    return total;
end $$;
comment on function postrider.prune_kept(interval) is 'deletes from the keep partitions what is over and old by now';

-- A wait or an event of a job that is over has no meaning any more; an event for any job of its lane may
-- still find one.
create function postrider.prune_orphans(keep interval, most int default 5000) returns bigint language sql as $$
    with e as (
        delete from postrider.event where event_id = any(array(
            select v.event_id from postrider.event v
            where v.sent_at < postrider.now() - keep
              and not exists (select from postrider.job j where j.job_id = v.job_id and j.finished_at is null)
            limit most for update skip locked))
        returning 1
    ), w as (
        delete from postrider.wait x using (
            select v.job_id, v.key from postrider.wait v
            where v.since < postrider.now() - keep
              and not exists (select from postrider.job j where j.job_id = v.job_id and j.finished_at is null)
            limit most for update skip locked) gone
        where x.job_id = gone.job_id and x.key = gone.key
        returning 1
    )
    select (select count(*) from e) + (select count(*) from w)
$$;
comment on function postrider.prune_orphans(interval, int) is
    'deletes events nobody consumed and waits of jobs that are over, both older than keep; a bounded number';

create index message_age on postrider.message using brin (created_at) with (pages_per_range = 32);

create function postrider.prune_messages(keep interval, most int default 5000) returns bigint language sql as $$
    with due as (
        select m.lane_id, m.job_id, m.position from postrider.message m
        where m.created_at < postrider.now() - keep
          and not exists (select from postrider.job j where j.job_id = m.job_id and j.finished_at is null)
        limit most for update skip locked
    ), gone as (
        delete from postrider.message m using due
        where m.lane_id = due.lane_id and m.job_id = due.job_id and m.position = due.position
        returning 1
    )
    select count(*) from gone
$$;
comment on function postrider.prune_messages(interval, int) is
    'deletes messages that are older, except those of jobs that are not over; a bounded number';
