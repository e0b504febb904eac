-- Flows, and executions: the jobs that run flows.

create view postrider.flows as
select f.flow_id, f.name, coalesce(f.draft ->> 'description', '') as description, f.origin, f.published_version,
       v.published_at, v.published_by, f.draft_digest is distinct from v.digest as changed, f.draft_revision,
       f.created_at, f.updated_at, f.archived_at
from postrider.flow f
left join postrider.flow_version v on v.flow_id = f.flow_id and v.version = f.published_version;
comment on view postrider.flows is 'flows, with the state of their drafts and published versions';
comment on column postrider.flows.changed is 'true = the draft differs from the published version';

-- A person can fork a job with any input, even one that no flow accepts. The view must not fail on it. Nearly all jobs run flows: as a
-- CASE, the planner takes the condition for half of them, and not for one in two hundred, for which it would sort a page's whole table.
create view postrider.executions as
select j.job_id, j.input ->> 'flow' as flow, x.version, f.published_version as current_version,
       coalesce(j.input ->> 'trigger', '') as trigger,
       j.input ?| array['start', 'until', 'pinned', 'document'] as trial, l.lane_key, j.kind, j.state, j.created_at, j.started_at,
       j.finished_at, coalesce(j.finished_at, postrider.now()) - j.created_at as age, j.tokens_in, j.tokens_out,
       j.tokens_cached, round(j.cost_micro / 1e6, 6) as cost, j.error_class, j.error, j.failed, j.degraded,
       j.degraded_reason
from postrider.job j
join postrider.lane l using (lane_id)
left join postrider.flow f on f.name = j.input ->> 'flow' and f.archived_at is null
cross join lateral (select case when j.input ->> 'version' ~ '^[0-9]{1,9}$' then (j.input ->> 'version')::int end) x(version)
where case when jsonb_typeof(j.input -> 'flow') = 'string' then true else false end;
comment on view postrider.executions is 'jobs that run flows: the version that each job has pinned (0 = the draft as it was then), and the current version';
comment on column postrider.executions.current_version is 'null = the flow starts no executions now';
comment on column postrider.executions.cost is 'US dollars, by the configured prices; null = no price is configured';
comment on column postrider.executions.trial is 'true = a trial: it started in the middle of the flow, with pinned data, or with the draft';
