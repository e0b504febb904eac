-- Jobs. waiting_jobs shows why a job does not run. Only the first live job of a lane can have its own reason.

create view postrider.waiting_jobs as
with x as (
    select j.*, r.node_id, r.ready_at, r.wait_reason as lane_reason, f.job_id as first, f.state as first_state
    from postrider.busy_lane r
    cross join lateral (select j.job_id, j.state from postrider.live_jobs(r.lane_id, r.head) j
                        order by (j.state = 'running') desc, j.job_id limit 1) f
    cross join lateral postrider.live_jobs(r.lane_id, r.head) j
    where j.state <> 'running'
    union all
    select j.*, null, null, null, j.job_id, j.state from postrider.job j where j.paused_at is not null and j.state = 'paused'
    union all
    select j.*, null, null, null, j.job_id, j.state from postrider.timer t join postrider.job j using (job_id)
    where j.state = 'scheduled'
), y as (
    select x.*, l.lane_key, l.paused_at as lane_paused_at, p.scope, p.paused_at as scope_paused_at,
           coalesce(x.due_at, x.ready_at) as due
    from x join postrider.lane l using (lane_id)
    left join lateral (select * from postrider.pause p where p.bot_id is null or p.bot_id = l.bot_id
                       order by p.bot_id nulls first limit 1) p on true
)
select job_id, lane_key, postrider.lane_name(lane_key) as lane_name, kind, state,
       coalesce(case when state = 'paused' then paused_at
                     when scope is not null then scope_paused_at
                     when lane_paused_at is not null then lane_paused_at
                     when first <> job_id then created_at
                     when state = 'waiting' and exists (select from postrider.wait w where w.job_id = y.job_id)
                         then (select min(w.since) from postrider.wait w where w.job_id = y.job_id)
                     when state in ('waiting', 'retryable')
                         then (select max(s.ended_at) from postrider.step s where s.job_id = y.job_id)
                     when due <= postrider.now() then due end, created_at) as since,
       case when state = 'paused' then 'it is paused'
            when scope = 'all' then 'everything is paused'
            when scope is not null then 'its bot is paused (' || scope || ')'
            when lane_paused_at is not null then 'its lane is paused'
            when first <> job_id and first_state = 'running' then 'job ' || first || ' of its lane runs'
            when first <> job_id then 'job ' || first || ' of its lane comes first (' || first_state || ')'
            when state = 'scheduled' then 'scheduled'
            when due <= postrider.now() then
                case when exists (select from postrider.node where beat_at > postrider.now() - interval '8 s')
                     then 'no free slot' else 'no server runs' end
            when state = 'waiting' and exists (select from postrider.wait w where w.job_id = y.job_id)
                then (select string_agg(coalesce(asked.about, 'event ' || w.type || coalesce(' for ' || w.match, '')) || ' until '
                                        || to_char(w.until_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"'), '; ' order by w.until_at)
                      from postrider.wait w
                      cross join lateral (select 'approval ' || string_agg(a.approval_id || ' (' || a.tool || ')', ', ' order by a.call) as about
                                          from postrider.approval a where a.question = w.match and a.state = 'waiting') asked
                      where w.job_id = y.job_id)
            else coalesce(wait_reason, lane_reason, case state when 'waiting' then 'sleeps' else 'not yet' end) end as reason,
       due as ready_at
from y;
comment on view postrider.waiting_jobs is 'jobs that do not run, with the reason, its start, and the time at which the job is ready without help';

create view postrider.job_overview as
select j.job_id, l.lane_key, j.kind, j.state, j.run_no, j.lost, j.created_at, j.started_at, j.finished_at,
       coalesce(j.finished_at, postrider.now()) - j.created_at as age,
       j.tokens_in, j.tokens_out, j.tokens_cached, round(j.cost_micro / 1e6, 6) as cost, j.error_class, j.error, j.due_at,
       j.wait_reason, j.priority, j.restarts, j.forked_from, j.asked, j.deadline_at, j.failed, j.degraded,
       j.degraded_reason,
       case when j.finished_at is null and j.state <> 'running'
            then (select w.reason from postrider.waiting_jobs w where w.job_id = j.job_id) end as waiting_for,
       postrider.lane_name(l.lane_key) as lane_name,
       coalesce((select m.content from postrider.message m
                 where m.lane_id = j.lane_id and m.job_id = j.job_id and m.position = 0 and m.role = 'user'),
                -- That of a command stands in its chat's lane.
                case when starts_with(l.lane_key, 'commands:') then
                    (select m.content from postrider.message m
                     where m.beside and m.job_id = j.job_id and m.position = 0 and m.role = 'user') end) as said,
       coalesce(j.finished_at, postrider.now()) - coalesce(j.begun_at, j.created_at) as took,
       coalesce((select postrider.author_of(m) from postrider.message m
                 where m.lane_id = j.lane_id and m.job_id = j.job_id and m.position = 0 and m.role = 'user'),
                case when starts_with(l.lane_key, 'commands:') then
                    (select postrider.author_of(m) from postrider.message m
                     where m.beside and m.job_id = j.job_id and m.position = 0 and m.role = 'user') end) as said_by
from postrider.job j join postrider.lane l using (lane_id);
comment on view postrider.job_overview is 'one line per job; waiting_for says why it waits';
comment on column postrider.job_overview.lane_name is 'the lane in words: bot, chat and topic';
comment on column postrider.job_overview.said is 'the message that began it, as the person wrote it; null = no message did';
comment on column postrider.job_overview.said_by is 'who wrote that message, as the view messages has its author';
comment on column postrider.job_overview.took is 'from its creation, or its last restart, to its end, or to now';
comment on column postrider.job_overview.cost is 'US dollars, by the configured prices; null = no price is configured';

create view postrider.dead_letters as
select job_id, lane_key, lane_name, kind, finished_at, run_no, lost, error_class, error
from postrider.job_overview where failed;
comment on view postrider.dead_letters is 'failed jobs, kept until retention or retried by hand';

create view postrider.degraded_jobs as
select job_id, lane_key, lane_name, kind, finished_at, degraded_reason as reason, error_class, error
from postrider.job_overview where degraded;
comment on view postrider.degraded_jobs is 'jobs that completed, but somebody did not get what was asked for, or all of it';
comment on column postrider.degraded_jobs.reason is 'docs/reference.md lists the reasons; null = it ended before they were recorded';

create view postrider.step_timeline as
select job_id, seq, key, attempt, outcome, started_at, ended_at, ended_at - started_at as took,
       next_at, error_class, error, error_data, result,
       case when usage is not null or key ~ '(^|/)model(:[0-9]+([.][0-9]+)?)?(#[0-9]+)?(~[0-9]+)?$' then result ->> 'model' end as model,
       (usage ->> 'tokens_in')::bigint as tokens_in, (usage ->> 'tokens_out')::bigint as tokens_out,
       (usage ->> 'tokens_cached')::bigint as tokens_cached, round(nullif((usage ->> 'cost_micro')::bigint, 0) / 1e6, 6) as cost
from postrider.step;
comment on view postrider.step_timeline is 'every recorded try of every step; order by job_id, seq, attempt';
comment on column postrider.step_timeline.model is 'of a call of a model: the model that answered, as its answer says; null = another step, or no answer';
comment on column postrider.step_timeline.cost is 'US dollars, by the configured prices; null = nothing was paid, or no price is configured';

create view postrider.lost_attempts as
select j.job_id, l.lane_key, j.kind, a.run_no, s.key, 'lost' as outcome, a.node_id, a.host,
       coalesce((select max(p.ended_at) from postrider.step p where p.job_id = j.job_id and p.ended_at < a.lost_at), j.started_at) as since,
       a.beat_at, a.lost_at
from postrider.job j
join postrider.lane l using (lane_id)
cross join lateral (
    select (e ->> 'run')::int as run_no, (e ->> 'node_id')::bigint as node_id, e ->> 'host' as host,
           (e ->> 'beat_at')::timestamptz as beat_at, (e ->> 'lost_at')::timestamptz as lost_at
    from jsonb_array_elements(j.lost_attempts) e) a
left join lateral (
    select s.key from postrider.step s
    where s.job_id = j.job_id and s.started_at >= a.lost_at order by s.started_at, s.seq limit 1) s on true
where j.lost_attempts is not null;
comment on view postrider.lost_attempts is
    'attempts whose process died before they were recorded, with the node that ran them. Nothing of them was kept, and the step was tried again';
comment on column postrider.lost_attempts.key is 'the step: the first one that the next run had to try; null = no run has come to one yet';
comment on column postrider.lost_attempts.since is 'it began then at the earliest: the end of the step before, or the job''s start';
comment on column postrider.lost_attempts.beat_at is 'the node''s last heartbeat';
comment on column postrider.lost_attempts.lost_at is 'when another node took the job over';

create view postrider.effects_in_doubt as
select e.job_id, e.key, e.kind, e.class, e.state, e.flagged, e.planned_at, e.request, l.lane_key, j.state as job_state, e.result,
       postrider.lane_name(l.lane_key) as lane_name
from postrider.effect e
cross join lateral (select j.state, j.lane_id from postrider.job j where j.job_id = e.job_id offset 0) j
join postrider.lane l using (lane_id)
where e.doubted and position('~' in e.key) = 0;
comment on view postrider.effects_in_doubt is
    'effects that may have happened twice (flagged) or whose outcome is unknown; effect_settle settles them';

create view postrider.delayed_jobs as
select j.job_id, l.lane_key, postrider.lane_name(l.lane_key) as lane_name, j.kind, j.due_at, j.due_at - postrider.now() as due_in, j.created_at, k.key as unique_key
from postrider.timer t
join postrider.job j using (job_id)
join postrider.lane l using (lane_id)
left join postrider.job_key k on k.job_id = j.job_id
where j.state = 'scheduled';
comment on view postrider.delayed_jobs is 'jobs that are scheduled for later, with their time and their unique key';

create view postrider.cost_daily as
select date_trunc('day', finished_at at time zone 'UTC')::date as day, kind, count(*) as jobs,
       sum(tokens_in) as tokens_in, sum(tokens_cached) as tokens_cached, sum(tokens_out) as tokens_out,
       round(sum(cost_micro) / 1e6, 6) as cost
from postrider.job where finished_at is not null group by 1, 2;
comment on view postrider.cost_daily is 'tokens and cost per UTC day and kind of job; the cost is in US dollars by the configured prices, null if no price is configured';
