-- What is old goes: partitions whole (partitions.sql tells the locks), rows in bounded numbers.

create or replace function postrider.note_straggler() returns trigger language plpgsql as $$
begin
    insert into postrider.straggler (part, job_id) values (tg_argv[0]::bigint, new.job_id);
    return null;
end $$;
comment on function postrider.note_straggler() is 'trigger of a retiring partition, whose first job id is its argument: notes every job that changes';

-- The lowest partition of which no number is drawn any more and whose newest job is older.
create or replace function postrider.due_partition(oldest timestamptz) returns bigint language plpgsql as $$
declare
    p record;
    newest timestamptz;
begin
    for p in select x.low, x.high from postrider.partitions() x
             where not x.keeps and x.high <= (select last_value from postrider.number)
    loop
        -- Of an empty one the first job after it tells how old it is.
        select coalesce(
            (select created_at from postrider.job where job_id >= p.low and job_id < p.high order by job_id desc limit 1),
            (select created_at from postrider.job where job_id >= p.high order by job_id limit 1))
        into newest;
        if newest is null or newest >= oldest then return null; end if;
        if not exists (select from postrider.retiring r where r.part = p.low) then return p.low; end if;
    end loop;
    return null;
end $$;
comment on function postrider.due_partition(timestamptz) is
    'for the maintenance: the first job id of the first partition whose jobs were all made before';

create or replace function postrider.written_columns(table_name text) returns text language sql stable as $$
    select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
    where attrelid = format('postrider.%I', table_name)::regclass and attnum > 0 and not attisdropped and attgenerated = ''
$$;
comment on function postrider.written_columns(text) is 'for the functions of this schema: the columns of a table that are not generated, to copy rows with';

-- Replaces the partition, and keep partitions beside it, by one small keep partition of what must stay. In one
-- transaction: a session that waited for the locks finds every job that stays. Returns how many stay.
create or replace function postrider.swap_partition(the_part bigint, oldest timestamptz, out kept bigint, out held interval)
language plpgsql as $$
declare
    after constant bigint := (select p.high from postrider.partitions() p where p.low = the_part);
    first bigint := the_part;
    behind bigint := after;
    gone text[] := array['p' || the_part];
    neighbour record;
    name text;
    parent text;
    old text;
    began timestamptz;
begin
    for neighbour in select p.name, p.low, p.high from postrider.partitions() p
                     where p.keeps and (p.low = after or p.high = the_part)
    loop
        gone := gone || neighbour.name;
        first := least(first, neighbour.low);
        behind := greatest(behind, neighbour.high);
    end loop;
    name := format('keep_%s_%s', first, behind);
    foreach parent in array array['step', 'effect', 'job'] loop
        perform postrider.make_partition(parent, parent || '_' || name);
    end loop;

    lock table only postrider.step, only postrider.effect, only postrider.job in access exclusive mode;
    began := clock_timestamp();
    execute format(
        'insert into postrider.job_%1$s (%2$s) select %2$s from postrider.job
         where (job_id = any(array(select job_id from postrider.straggler where part = $1))
                or job_id >= $2 and job_id < $3 or job_id >= $4 and job_id < $5)
           and (finished_at is null or finished_at >= $6)', name, postrider.written_columns('job'))
        using the_part, first, the_part, after, behind, oldest;
    get diagnostics kept = row_count;
    foreach parent in array array['step', 'effect'] loop
        execute format('insert into postrider.%1$s_%2$s (%3$s) select %3$s from postrider.%1$s
                        where job_id = any(array(select job_id from postrider.job_%2$s))',
                       parent, name, postrider.written_columns(parent));
    end loop;
    foreach parent in array array['step', 'effect', 'job'] loop
        foreach old in array gone loop
            execute format('alter table postrider.%1$s detach partition postrider.%1$s_%2$s', parent, old);
            execute format('drop table postrider.%s_%s', parent, old);
        end loop;
        if kept > 0 then
            execute format('alter table postrider.%1$s attach partition postrider.%1$s_%2$s for values from (%3$s) to (%4$s)',
                           parent, name, first, behind);
        else
            execute format('drop table postrider.%s_%s', parent, name);
        end if;
    end loop;
    delete from postrider.straggler where part = the_part;
    delete from postrider.retiring where part = the_part;
    held := clock_timestamp() - began;
end $$;
comment on function postrider.swap_partition(bigint, timestamptz) is
    'for prune_partitions: a partition goes, the jobs that must stay are kept; raises lock_not_available when somebody reads for long';

create or replace function postrider.prune_partitions(
    keep interval, most int default 5000, out done text, out part bigint, out kept bigint, out held interval
) language plpgsql set lock_timeout = '100ms' as $$
declare
    oldest timestamptz := postrider.now() - keep;
    oldest_due postrider.retiring;
begin
    perform from postrider.duty d where d.name = 'retention' for update skip locked;
    if not found then return; end if;
    select * into oldest_due from postrider.retiring r where r.later_at <= postrider.now() order by r.part limit 1;
    if not found then
        part := postrider.due_partition(oldest);
        if part is null then return; end if;
        execute format('create trigger note_straggler after insert or update on postrider.job_p%1$s
                        for each row execute function postrider.note_straggler(%1$s)', part);
        insert into postrider.retiring (part) values (prune_partitions.part);
        done := 'watched';
        return;
    end if;
    part := oldest_due.part;
    if not oldest_due.listed then
        -- The long look, beside everybody's work: what changes from here on is noted by the trigger.
        execute format('insert into postrider.straggler (part, job_id) select $1, job_id from postrider.job_p%s
                        where finished_at is null or finished_at >= $2 limit $3', part)
            using part, oldest, most + 1;
        update postrider.retiring r set listed = true where r.part = oldest_due.part;
    end if;
    -- A job that changed several times was noted as often.
    if (select count(*) from (select distinct s.job_id from postrider.straggler s where s.part = oldest_due.part limit most + 1) s) > most then
        done := 'crowded';
        delete from postrider.straggler s where s.part = oldest_due.part;
        update postrider.retiring r set listed = false, later_at = postrider.now() + interval '1 hour' where r.part = oldest_due.part;
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
    'for the maintenance: the next act for the oldest partition that is due, a transaction each: watched, then dropped (kept jobs stay); '
    'busy = somebody reads for long, crowded = more than `most` jobs would stay: tried again later. Null: nothing to do';

create or replace function postrider.prune_kept(keep interval) returns bigint language plpgsql as $$
declare
    name text;
    n bigint;
    total bigint := 0;
begin
    perform from postrider.duty d where d.name = 'retention' for update skip locked;
    if not found then return 0; end if;
    for name in select p.name from postrider.partitions() p where p.keeps
    loop
        execute format('with gone as (delete from postrider.job_%1$s where job_id = any(array(
                                          select job_id from postrider.job_%1$s where finished_at < $1 order by job_id for update skip locked))
                                      returning job_id),
                             s as (delete from postrider.step_%1$s where job_id = any(array(select job_id from gone))),
                             e as (delete from postrider.effect_%1$s where job_id = any(array(select job_id from gone)))
                        select count(*) from gone', name) into n using postrider.now() - keep;
        total := total + n;
    end loop;
    return total;
end $$;
comment on function postrider.prune_kept(interval) is 'for the maintenance: deletes from the keep partitions what is over and old by now';

-- A wait or an event of a job that is over has no meaning any more; an event for any job of its lane may
-- still find one.
create or replace function postrider.prune_orphans(keep interval, most int default 5000) returns bigint language sql as $$
    with e as (
        delete from postrider.event where event_id = any(array(
            select v.event_id from postrider.event v
            where v.sent_at < postrider.now() - keep
              and not exists (select from postrider.job j where j.job_id = v.job_id and j.finished_at is null offset 0)
            order by v.sent_at limit most for update skip locked))
        returning 1
    ), w as (
        delete from postrider.wait x using (
            select v.job_id, v.key from postrider.wait v
            where v.since < postrider.now() - keep
              and not exists (select from postrider.job j where j.job_id = v.job_id and j.finished_at is null offset 0)
            order by v.since limit most for update skip locked) gone
        where x.job_id = gone.job_id and x.key = gone.key
        returning 1
    ), p as (
        delete from postrider.bucket_place where ctid = any(array(
            select v.ctid from postrider.bucket_place v
            where v.since < postrider.now() - keep
              and not exists (select from postrider.job j where j.job_id = v.job_id and j.finished_at is null offset 0)
            order by v.since limit most for update skip locked))
        returning 1
    )
    select (select count(*) from e) + (select count(*) from w) + (select count(*) from p)
$$;
comment on function postrider.prune_orphans(interval, int) is
    'for the maintenance: deletes events nobody consumed and waits and places at limits of jobs that are over, all older than keep; a bounded number';

create or replace function postrider.prune_messages(keep interval, most int default 5000) returns bigint language sql as $$
    with due as (
        select m.lane_id, m.job_id, m.position from postrider.message m
        where m.created_at < postrider.now() - keep
          and not exists (select from postrider.job j where j.job_id = m.job_id and j.finished_at is null offset 0)
        order by m.created_at limit most for update skip locked
    ), parted as (
        -- A summary goes with the last of its messages, and what someone asked to remember stays.
        delete from postrider.memory_source s using due
        where s.lane_id = due.lane_id and s.job_id = due.job_id and s.position = due.position
    ), gone as (
        delete from postrider.message m using due
        where m.lane_id = due.lane_id and m.job_id = due.job_id and m.position = due.position
        returning 1
    )
    select count(*) from gone
$$;
comment on function postrider.prune_messages(interval, int) is
    'for the maintenance: deletes messages that are older, except those of jobs that are not over; a bounded number';

create or replace function postrider.prune_request_keys() returns bigint language sql as $$
    with gone as (
        delete from postrider.request_key
        where ctid = any(array(select k.ctid from postrider.request_key k
                               where k.created_at < postrider.now() - interval '1 day'
                               order by k.created_at limit 5000 for update skip locked))
        returning 1)
    select count(*) from gone
$$;
comment on function postrider.prune_request_keys() is 'for the maintenance: forgets keys that are free again, at most 5000 at a time; returns how many';

create or replace function postrider.prune_task_calls() returns bigint language sql as $$
    with gone as (
        delete from postrider.task_call
        where ctid = any(array(select c.ctid from postrider.task_call c
                               where c.created_at < postrider.now() - interval '30 days'
                               order by c.created_at limit 5000 for update skip locked))
        returning 1)
    select count(*) from gone
$$;
comment on function postrider.prune_task_calls() is 'for the maintenance: forgets results of changes to tasks that nobody repeats any more, at most 5000 at a time; returns how many';

create or replace function postrider.prune_mcp_sessions() returns bigint language sql as $$
    with gone as (
        delete from postrider.mcp_session
        where ctid = any(array(select s.ctid from postrider.mcp_session s
                               where s.created_at < postrider.now() - interval '7 days'
                               order by s.created_at limit 5000 for update skip locked))
        returning 1)
    select count(*) from gone
$$;
comment on function postrider.prune_mcp_sessions() is 'for the maintenance: ends sessions of POST /mcp that are older than 7 days, at most 5000 at a time; returns how many';

-- A session that was revoked has expired, too.
create or replace function postrider.prune_console() returns bigint language sql as $$
    with links as (
        delete from postrider.console_link
        where ctid = any(array(select l.ctid from postrider.console_link l
                               where l.expires_at < postrider.now() - interval '1 day'
                               order by l.expires_at limit 5000 for update skip locked))
        returning 1
    ), sessions as (
        delete from postrider.console_session
        where ctid = any(array(select s.ctid from postrider.console_session s
                               where s.expires_at < postrider.now() - interval '1 day'
                               order by s.expires_at limit 5000 for update skip locked))
        returning 1)
    select (select count(*) from links) + (select count(*) from sessions)
$$;
comment on function postrider.prune_console() is
    'for the maintenance: deletes links and sessions of the console a day after they are over, at most 5000 of each at a time; returns how many';

create or replace function postrider.prune_flow_data() returns bigint language sql as $$
    with gone as (
        delete from postrider.flow_data
        where ctid = any(array(select d.ctid from postrider.flow_data d
                               where d.expires_at < postrider.now()
                               order by d.expires_at limit 5000 for update skip locked))
        returning 1)
    select count(*) from gone
$$;
comment on function postrider.prune_flow_data() is 'for the maintenance: deletes rows of flows'' data tables that have expired, at most 5000 at a time; returns how many';

create or replace function postrider.prune_flow_files() returns bigint language sql as $$
    with gone as (
        delete from postrider.flow_file
        where ctid = any(array(select f.ctid from postrider.flow_file f
                               where f.expires_at < postrider.now()
                               order by f.expires_at limit 500 for update skip locked))
        returning 1)
    select count(*) from gone
$$;
comment on function postrider.prune_flow_files() is 'for the maintenance: deletes files of executions that have expired, at most 500 at a time; returns how many';

-- postrider mcp tools shows those of 30 days.
create or replace function postrider.prune_refused_tools() returns bigint language sql as $$
    with gone as (
        delete from postrider.refused_tool
        where ctid = any(array(select r.ctid from postrider.refused_tool r
                               where r.refused_at < postrider.now() - interval '30 days' limit 5000 for update skip locked))
        returning 1)
    select count(*) from gone
$$;
comment on function postrider.prune_refused_tools() is
    'for the maintenance: forgets refusals that are older than 30 days, at most 5000 at a time; returns how many';

-- A job that records a list notes the hour, and job_fork() does; so a list that was last used a day before the oldest job
-- was made has no job.
create or replace function postrider.prune_tool_catalogs() returns bigint language sql as $$
    with oldest (created_at) as (select coalesce(
            (select j.created_at from postrider.job j order by j.job_id limit 1), postrider.now())),
    gone as (
        delete from postrider.tool_catalog
        where ctid = any(array(select c.ctid from postrider.tool_catalog c, oldest o
                               where c.used_at < o.created_at - interval '1 day'
                               order by c.used_at limit 5000 for update of c skip locked))
        returning 1)
    select count(*) from gone
$$;
comment on function postrider.prune_tool_catalogs() is 'for the maintenance: forgets lists of tools that no job refers to any more, at most 5000 at a time; returns how many';

create or replace function postrider.prune_sessions(keep interval, most int default 5000) returns bigint language sql as $$
    with gone as (
        delete from postrider.session_message where ctid = any(array(
            select m.ctid from postrider.session_message m
            where m.created_at < postrider.now() - keep
              and not exists (select from postrider.job j where j.job_id = m.job_id and j.finished_at is null offset 0)
            order by m.created_at limit most for update skip locked))
        returning 1
    ), summaries as (
        delete from postrider.group_summary where ctid = any(array(
            select s.ctid from postrider.group_summary s
            where s.created_at < postrider.now() - keep
            order by s.created_at limit most for update skip locked))
        returning 1
    )
    select (select count(*) from gone) + (select count(*) from summaries)
$$;
comment on function postrider.prune_sessions(interval, int) is
    'for the maintenance: deletes messages of named sessions that are older, except those of jobs that are not over, and summaries of groups; a bounded number';

-- One execution has such a lane for itself (agent::flow::is_own_lane), or one fork (job_fork): nobody names it again, so nobody reads
-- its messages once its job is gone.
create or replace function postrider.lane_is_own(lane_key text) returns boolean language sql immutable as $$
    select lane_key ~ '^(flow:[^:/]*/|fork:)'
$$;
comment on function postrider.lane_is_own(text) is 'whether a single execution has the lane of this name for itself';

-- A chat's lane goes after that of its commands: a command locks them in this order, which is that of their numbers.
create or replace function postrider.lane_is_empty(lane bigint) returns boolean language sql stable as $$
    select not exists (select from postrider.job j where j.lane_id = lane)
       and (not exists (select from postrider.message m where m.lane_id = lane)
            or (select postrider.lane_is_own(l.lane_key) from postrider.lane l where l.lane_id = lane))
       and not exists (select from postrider.event e where e.lane_id = lane)
       and not exists (select from postrider.wait w where w.lane_id = lane)
       and not exists (select from postrider.lane l join postrider.lane c on c.lane_key = 'commands:' || l.lane_key where l.lane_id = lane)
$$;
comment on function postrider.lane_is_empty(bigint) is
    'nothing is kept that belongs to the lane, neither jobs nor messages that a later job may read, nor the lane of its commands';

-- A lane of which nothing is kept any more goes, and with it the conversation of the chat API whose lane it was. Its id
-- may stand in the memory of any process, and in a statement that has just read it: an arrival locks the row of lane_run
-- first, finds none, forgets the id and makes the lane anew, unless it is a conversation's. Locks: lane, then lane_run; a delayed job locks its lane's row
-- while it is made.
create or replace function postrider.prune_lanes(after bigint, keep interval, most int default 2000, out gone bigint, out last bigint)
language plpgsql as $$
declare
    looked_at constant bigint[] := array(
        select l.lane_id from postrider.lane l where l.lane_id > after order by l.lane_id limit most);
    idle bigint[];
    held bigint[];
    empty bigint[];
begin
    idle := array(
        select l.lane_id from postrider.lane l
        where l.lane_id = any(looked_at) and l.created_at < postrider.now() - keep and l.paused_at is null
          and not exists (select from postrider.lane_run r where r.lane_id = l.lane_id and r.ready_at is not null offset 0)
          and not exists (select from postrider.schedule s where coalesce(s.lane_key, 'schedule:' || s.name) = l.lane_key)
          and postrider.lane_is_empty(l.lane_id)
        order by l.lane_id for update of l skip locked);
    held := array(
        select r.lane_id from postrider.lane_run r
        where r.lane_id = any(idle) and r.ready_at is null order by r.lane_id for update skip locked);
    -- What was committed before the row was locked is seen now, and nothing more can come.
    empty := array(select h from unnest(held) h where postrider.lane_is_empty(h));
    delete from postrider.lane_run where lane_id = any(empty);
    delete from postrider.message where lane_id = any(empty);
    delete from postrider.api_conversation where lane_id = any(empty);
    delete from postrider.memory_progress where lane_id = any(empty);
    delete from postrider.lane where lane_id = any(empty);
    gone := cardinality(empty);
    -- Ids ascend with time: behind lanes that are all too young there are only younger ones.
    last := case when exists (select from postrider.lane l where l.lane_id = any(looked_at) and l.created_at < postrider.now() - keep)
                      or gone > 0 then coalesce(looked_at[most], 0) else 0 end;
end $$;
comment on function postrider.prune_lanes(bigint, interval, int) is
    'for the maintenance: of so many lanes behind an id, deletes those that are older and of which nothing is kept; returns how many, and where to go on (0 = all were looked at that may be old enough)';
