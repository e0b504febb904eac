-- Partitions: always some ahead, old ones go whole (retention.sql), live stragglers stay.
--
-- Locks, because everybody works on these tables at once:
--   make_partitions   share update exclusive on the parents (attach, not "create ... partition of", which takes
--                     access exclusive and would queue everybody behind the slowest reader)
--   prune_partitions  a trigger on the old partition (share row exclusive, on it alone); later access exclusive
--                     on the three parents, for which it waits 100 ms at most and which it holds for
--                     milliseconds, however large the partition is (docs/decisions/0010-old-partitions-go-whole.md)
--   turn_partition    stops the number sequence for the time of its own commit
-- Always in the order step, effect, job: the order of a worker's commit.

create or replace function postrider.partition_size() returns bigint language sql immutable parallel safe as $$ select 2000000::bigint $$;
comment on function postrider.partition_size() is 'numbers per partition of job, step and effect: about a million turns';

create or replace function postrider.make_partition(what text, name text) returns void language plpgsql as $$
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

-- Two million numbers each, about a million turns.
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
create or replace function postrider.turn_partition(age interval) returns boolean
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

select postrider.make_partitions();
