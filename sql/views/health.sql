-- The health of the queue, at any time and under any load. No part of the view reads more than 10,000 rows. A larger
-- count shows as 10,000.

create view postrider.queue_health as
select (select count(*) from postrider.node where beat_at > postrider.now() - interval '8 s') as nodes,
       (select count(*) from (select from postrider.lane_run where node_id is not null limit 10000) x) as lanes_running,
       ready.lanes as lanes_ready,
       (select count(*) from generate_series(0, 3) p cross join lateral (
            select from postrider.lane_run r
            where r.node_id is null and r.priority = p and r.ready_at > postrider.now() limit 10000) x) as lanes_parked,
       (select count(*) from generate_series(0, 3) p cross join lateral (
            select from postrider.lane_run r
            where r.node_id is null and r.priority = p and r.ready_at is not null limit 10000) x) as lanes_waiting,
       postrider.now() - ready.since as oldest_ready,
       xact.age as oldest_transaction, xact.pid as oldest_transaction_pid, xact.client as oldest_transaction_by,
       (select sum(n_dead_tup) from pg_stat_user_tables
        where schemaname = 'postrider' and relname in ('lane_run', 'node', 'event', 'wait')) as dead_tuples,
       (select count(*) from postrider.partitions() p where p.low > (select last_value from postrider.number))
           as partitions_ahead,
       (select count(*) from (select from postrider.event limit 10000) x) as events,
       (select count(*) from postrider.pause)
           + (select count(*) from (select from postrider.lane where paused_at is not null limit 10000) x) as paused
from (select count(*) as lanes, min(x.ready_at) as since
      from generate_series(0, 3) p cross join lateral (
          select r.ready_at from postrider.lane_run r
          where r.node_id is null and r.priority = p and r.ready_at <= postrider.now()
          order by r.ready_at limit 10000) x) ready
left join lateral (
    -- The session that prevents the removal of dead rows: it has the oldest snapshot, not the longest query.
    select postrider.now() - coalesce(xact_start, state_change) as age, pid,
           coalesce(nullif(application_name, ''), backend_type) as client
    from pg_stat_activity
    where datname = current_database() and backend_xmin is not null and pid <> pg_backend_pid()
    order by age(backend_xmin) desc, xact_start limit 1) xact on true;
comment on view postrider.queue_health is 'one row: the health of the queue; counts go up to 10,000 per priority';
comment on column postrider.queue_health.lanes_ready is 'lanes that are ready to run and wait for a slot';
comment on column postrider.queue_health.lanes_parked is 'lanes that wait for a time or an event, or are paused';
comment on column postrider.queue_health.lanes_waiting is 'ready and parked lanes together';
comment on column postrider.queue_health.oldest_ready is 'how long the next lane to run has been ready';
comment on column postrider.queue_health.oldest_transaction is
    'age of the transaction with the oldest snapshot. If it lasts for minutes, dead rows accumulate. Only members of pg_read_all_stats see the sessions of others';
comment on column postrider.queue_health.dead_tuples is 'dead rows of the tables that change often: lane_run, node, event, wait';
comment on column postrider.queue_health.partitions_ahead is 'empty partitions after the newest job; if it is below 1, find out why make_partitions fails';
comment on column postrider.queue_health.paused is 'number of paused scopes: everything, bots, lanes';

create view postrider.jobs_about as
select state, round(sum(n))::bigint as jobs
from (select v.state, f.share * greatest(c.reltuples, 0) as n
      from pg_inherits i
      join pg_class c on c.oid = i.inhrelid
      join pg_stats s on s.schemaname = 'postrider' and s.tablename = c.relname and s.attname = 'state' and not s.inherited
      cross join lateral rows from (unnest(s.most_common_vals::text::text[]), unnest(s.most_common_freqs)) as f(value, share)
      cross join lateral (select f.value as state) v
      where i.inhparent = 'postrider.job'::regclass) e
group by state;
comment on view postrider.jobs_about is
    'approximate number of jobs by state, from the statistics of the last analyze; fast for any number of jobs';
