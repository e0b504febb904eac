-- Partitions: always some ahead, old ones go whole (retention.sql), stragglers stay. A partition is a range of
-- job ids, named by its first; step and effect have the same ranges.
--
-- How many are alive is a matter of time, not of load (docs/decisions/0027-partitions-are-sized-by-time.md): turn_partition
-- begins the next one after an eighth of the retention, or after a quarter where there is little to keep. Ranges
-- are there to be left unfinished; one that is filled before its time is followed by larger ones.
--
-- Locks, because everybody works on these tables at once:
--   make_partitions   share update exclusive on the parents (attach, not "create ... partition of", which takes
--                     access exclusive and would queue everybody behind the slowest reader)
--   prune_partitions  a trigger on the old partition (share row exclusive, on it alone); later access exclusive
--                     on the three parents, for which it waits 100 ms at most and which it holds for
--                     milliseconds, however large the partition is (docs/decisions/0010-old-partitions-go-whole.md)
--   turn_partition    stops the number sequence for the time of its own commit
-- Always in the order step, effect, job: the order of a worker's commit.

create or replace function postrider.partitions()
returns table (name text, low bigint, high bigint, keeps boolean) language sql stable as $$
    select substring(c.relname from '^job_(.*)$'), m[1]::bigint, m[2]::bigint, c.relname like 'job\_keep\_%'
    from pg_inherits i join pg_class c on c.oid = i.inhrelid,
         regexp_match(pg_get_expr(c.relpartbound, c.oid), '\(''(\d+)''\) TO \(''(\d+)''\)') m
    where i.inhparent = 'postrider.job'::regclass
    order by 2
$$;
comment on function postrider.partitions() is
    'the partitions of job, step and effect in their order: job ids from low to below high; keeps = it holds what stayed of others';

create or replace function postrider.make_partition(parent text, name text) returns void language plpgsql as $$
begin
    execute format('create table postrider.%I (like postrider.%I including all) with (%s)', name, parent,
        case parent
            -- A job is written three times, in place. Half of the page for it, and vacuum need not hurry.
            when 'job' then 'fillfactor = 50, autovacuum_analyze_scale_factor = 0.05'
            when 'effect' then 'fillfactor = 70'
            else 'fillfactor = 100' end);
    if to_regrole('postrider_reader') is not null then
        execute format('grant select on postrider.%I to postrider_reader', name);
    end if;
end $$;
comment on function postrider.make_partition(text, text) is 'for the maintenance: a table like job, step or effect, to be attached';

-- Two million numbers at first, about a million turns. Where the last partition was filled to its end, as no turning
-- did it, the next is twice as large as it; where little of it was used, half as large.
create or replace function postrider.next_partition_size() returns bigint language plpgsql as $$
declare
    smallest constant bigint := 2000000;
    largest constant bigint := 1000000000000;
    drawn constant bigint := (select last_value from postrider.number);
    size bigint;
    used bigint;
    before record;
begin
    select p.high - p.low into size from postrider.partitions() p where not p.keeps order by p.low desc limit 1;
    if not found then return smallest; end if;
    if drawn >= (select max(p.high) from postrider.partitions() p) then return least(2 * size, largest); end if;
    select p.low, p.high - p.low as size into before from postrider.partitions() p
    where p.high <= drawn and not p.keeps order by p.low desc limit 1;
    if not found then return size; end if;
    select j.job_id - before.low into used from postrider.job j
    where j.job_id >= before.low and j.job_id < before.low + before.size order by j.job_id desc limit 1;
    return case when used >= before.size / 8 * 7 then least(2 * size, largest)
                when used < before.size / 8 then greatest(size / 2, smallest) else size end;
end $$;
comment on function postrider.next_partition_size() is 'for the maintenance: how many numbers the next partition takes';

create or replace function postrider.make_partitions(ahead int default 2) returns int
language plpgsql set lock_timeout = '1s' as $$
declare
    drawn constant bigint := (select last_value from postrider.number);
    added int := 0;
    low bigint;
    size bigint;
    parent text;
begin
    if (select count(*) from postrider.partitions() p where p.low > drawn) >= ahead then return 0; end if;
    -- Two nodes may come at once: the second waits here, and finds them made.
    lock table only postrider.step, only postrider.effect, only postrider.job in share update exclusive mode;
    while (select count(*) from postrider.partitions() p where p.low > drawn) < ahead loop
        low := coalesce((select max(p.high) from postrider.partitions() p), 0);
        size := postrider.next_partition_size();
        foreach parent in array array['step', 'effect', 'job'] loop
            perform postrider.make_partition(parent, parent || '_p' || low);
            execute format('alter table postrider.%I attach partition postrider.%I for values from (%s) to (%s)',
                           parent, parent || '_p' || low, low, low + size);
        end loop;
        added := added + 1;
    end loop;
    return added;
exception when lock_not_available or deadlock_detected then
    return 0; -- the next call, in seconds, has millions of numbers left
end $$;
comment on function postrider.make_partitions(int) is
    'for the maintenance: keeps partitions ahead of the newest number; returns how many it made, 0 also when it could not have its locks';

-- The sequence leaves the rest of the range out. Sequence numbers are plenty; they only ascend.
create or replace function postrider.turn_partition(keep interval) returns boolean
language plpgsql set lock_timeout = '100ms' as $$
declare
    -- A partition with less in it lasts longer: a small server has few.
    worth_one constant bigint := 1000000;
    -- A partition that cannot go because too much in it lives (prune_partitions, crowded) counts too.
    enough constant bigint := 48;
    present record;
    next_low bigint;
    oldest timestamptz;
    age interval := keep / 4;
begin
    select p.low, p.high, n.last_value - p.low as used into present
    from postrider.number n join postrider.partitions() p on n.last_value >= p.low and n.last_value < p.high;
    if not found then return false; end if;
    if present.used >= worth_one and (select count(*) from postrider.partitions()) < enough then age := keep / 8; end if;
    select created_at into oldest from postrider.job
    where job_id >= present.low and job_id < present.high order by job_id limit 1;
    if oldest is null or oldest > postrider.now() - age then return false; end if;
    perform postrider.make_partitions();
    select min(p.low) into next_low from postrider.partitions() p where p.low >= present.high;
    if next_low is null then return false; end if;
    -- Changes nothing, but nobody draws a number between here and the commit.
    alter sequence postrider.number cache 1;
    if (select last_value from postrider.number) >= present.high then return false; end if;
    execute format('alter sequence postrider.number restart with %s', next_low);
    return true;
exception when lock_not_available or deadlock_detected then
    return false;
end $$;
comment on function postrider.turn_partition(interval) is
    'for the maintenance: goes on with the next partition when the present one is old enough for jobs that are kept so long; true when it did';

select postrider.make_partitions();
