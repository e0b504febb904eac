-- Lanes, and the reasons why they wait.

-- Two parts, because each one has an index. A million idle lanes are not read.
create view postrider.busy_lane as
select * from postrider.lane_run where node_id is not null
union all
select * from postrider.lane_run where node_id is null and ready_at is not null;
comment on view postrider.busy_lane is 'the rows of lane_run whose lanes have work: leased, ready or waiting';

create view postrider.lane_status as
select l.lane_id, l.lane_key, l.mailbox, l.paused_at,
       case when r.node_id is not null then 'running'
            when l.paused_at is not null or p.scope is not null then 'paused'
            when r.ready_at is null then 'idle'
            when r.ready_at > postrider.now() then 'waiting'
            else 'ready' end as status,
       r.node_id, case when r.ready_at is not null then r.epoch end as epoch, r.ready_at, r.wait_reason,
       (select count(*) from postrider.live_jobs(r.lane_id, r.head)) as live_jobs,
       case when p.scope is not null then p.scope when l.paused_at is not null then 'lane' end as paused_by, r.asked,
       postrider.lane_name(l.lane_key) as lane_name
from postrider.lane l left join postrider.lane_run r using (lane_id)
left join lateral (select p.scope from postrider.pause p where p.bot_id is null or p.bot_id = l.bot_id
                   order by p.bot_id nulls first limit 1) p on true;
comment on view postrider.lane_status is
    'every lane: idle, ready, waiting (until ready_at, because of wait_reason), running, or paused (by itself, its bot or everything)';
comment on column postrider.lane_status.lane_name is 'its key in words: bot, chat and topic';
comment on column postrider.lane_status.live_jobs is 'jobs that the lane runs in order, without those that have ended, are paused or are scheduled';

create view postrider.limits as
select b.name, b.rate, b.burst, b.breaker, b.open_until, b.failures, b.reason,
       (select count(*) from postrider.bucket_place w join postrider.job j using (job_id)
        where w.resource = b.name and j.state = 'waiting') as parked_jobs
from postrider.bucket b;
comment on view postrider.limits is 'rate limits and circuit breakers, their failures, and the number of jobs that wait for each';
