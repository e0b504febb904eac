-- A conversation that was deleted takes nothing more in, though its lane stays as long as the jobs of it do.

alter table postrider.lane_run add column closed boolean not null default false;
comment on column postrider.lane_run.ready_at is 'when it may run; null = it is idle, and of the columns below only closed has a meaning';
comment on column postrider.lane_run.closed is 'its conversation was deleted: what arrives for it is refused';
