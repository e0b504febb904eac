-- A node that gave a job back, because it lacks what the job needs, leaves the lane to the others for a while.
alter table postrider.lane_run add column left_by bigint;
comment on column postrider.lane_run.left_by is
    'the node that gave the first job back since it cannot run it: it takes the lane again only some seconds after ready_at';
