-- The documented face of the tables, for people with psql. sql/recipes.psql shows how to use it.

create view postrider.messages as
select m.id, l.chat_id, m.role, m.content, m.created_at, m.conversation_id, m.job_id, m.delivery
from postrider.message m join postrider.lane l using (lane_id)
where m.role in ('user', 'assistant') and m.content <> '';
comment on view postrider.messages is 'what was said, by chat: id (nanoid), chat_id, role, content, created_at';

create view postrider.job_overview as
select j.job_id, l.lane_key, j.kind, j.state, j.run_no, j.lost, j.created_at, j.started_at, j.finished_at,
       coalesce(j.finished_at, postrider.now()) - j.created_at as age,
       j.tokens_in, j.tokens_out, j.error_class, j.error
from postrider.job j join postrider.lane l using (lane_id);
comment on view postrider.job_overview is 'one line per job';

create view postrider.step_timeline as
select job_id, seq, key, attempt, outcome, started_at, ended_at, ended_at - started_at as took,
       next_at, error_class, error, result
from postrider.step;
comment on view postrider.step_timeline is 'every recorded try; order by job_id, seq, attempt';

create view postrider.lane_status as
select l.lane_id, l.lane_key, l.mailbox, l.paused_at,
       case when r.lane_id is null then 'idle'
            when r.node_id is not null then 'running'
            when r.ready_at > postrider.now() then 'waiting'
            else 'ready' end as status,
       r.node_id, r.epoch, r.ready_at, r.wait_reason,
       (select count(*) from postrider.job j where j.lane_id = l.lane_id and j.job_id >= r.head
                                               and j.finished_at is null) as live_jobs
from postrider.lane l left join postrider.lane_run r using (lane_id);
comment on view postrider.lane_status is 'every lane: idle, ready, waiting (until ready_at, because of wait_reason) or running';

create view postrider.waiting_jobs as
select j.job_id, l.lane_key, j.kind, j.state, j.created_at as since,
       case when j.state = 'running' then null
            when r.node_id is not null then 'another job of its lane runs'
            when r.wait_reason is not null then r.wait_reason
            when r.ready_at > postrider.now() then 'ready at ' || r.ready_at
            else 'no free slot' end as reason,
       r.ready_at
from postrider.lane_run r
join postrider.job j on j.lane_id = r.lane_id and j.job_id >= r.head
join postrider.lane l on l.lane_id = r.lane_id
where j.state in ('available', 'scheduled', 'waiting', 'retryable', 'paused');
comment on view postrider.waiting_jobs is 'jobs that do not run, with the reason and since when they exist';

create view postrider.dead_letters as
select job_id, lane_key, kind, finished_at, run_no, lost, error_class, error
from postrider.job_overview where state = 'failed';
comment on view postrider.dead_letters is 'failed jobs, kept until retention or retried by hand';

create view postrider.rejected_updates as
select b.name as bot, i.update_id, i.received_at, i.reason, octet_length(i.raw) as bytes, i.raw
from postrider.inbox i left join postrider.bot b using (bot_id) where i.disposition = 'rejected';
comment on view postrider.rejected_updates is 'authentic updates that could not be used, with their bytes';

create view postrider.effects_in_doubt as
select e.job_id, e.key, e.kind, e.class, e.state, e.flagged, e.planned_at, e.request
from postrider.effect e join postrider.job j using (job_id)
where e.state = 'unknown' or e.flagged or (e.state = 'started' and j.state <> 'running');
comment on view postrider.effects_in_doubt is 'effects that may have happened twice (flagged) or of which nobody knows (unknown)';

create view postrider.cost_daily as
select date_trunc('day', finished_at at time zone 'UTC')::date as day, kind, count(*) as jobs,
       sum(tokens_in) as tokens_in, sum(tokens_out) as tokens_out, sum(cost_micro) / 1e6 as cost
from postrider.job where finished_at is not null group by 1, 2;
comment on view postrider.cost_daily is 'tokens and cost per UTC day and kind of job';

create view postrider.queue_health as
select (select count(*) from postrider.node where beat_at > postrider.now() - interval '8 s') as nodes,
       (select count(*) from postrider.lane_run where node_id is not null) as lanes_running,
       (select count(*) from postrider.lane_run where node_id is null) as lanes_waiting,
       (select postrider.now() - min(ready_at) from postrider.lane_run
        where node_id is null and ready_at <= postrider.now()) as oldest_ready,
       (select max(postrider.now() - xact_start) from pg_stat_activity
        where datname = current_database() and backend_xmin is not null) as oldest_transaction,
       (select sum(n_dead_tup) from pg_stat_user_tables where schemaname = 'postrider') as dead_tuples,
       (select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'postrider' and c.relname ~ '^job_p[0-9]+$'
          and substring(c.relname from '[0-9]+')::bigint > (select last_value from postrider.number) / 2000000) as partitions_ahead;
comment on view postrider.queue_health is 'one row: is the queue well';
