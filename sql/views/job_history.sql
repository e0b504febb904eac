-- What a job waited for, also when it is over. It is meant for one job: where job_id = 42.

-- A wait that is over stands in job.waited, but a retry and a sleep in their steps, and the wait for the lane in the jobs before.
create view postrider.job_waits as
select x.job_id,
       case when x.cause = 'limit' and starts_with(x.about, 'breaker ') then 'breaker'
            when x.cause = 'event' and x.tools is not null then 'approval'
            when x.cause = 'event' and x.about in ('press', 'message') then 'person'
            else x.cause end as cause,
       case when x.cause = 'limit' then coalesce(x.about, 'a limit')
            when x.cause = 'pause' then 'an operator: it was paused'
            when x.cause = 'schedule' then 'its time'
            when x.tools is not null then 'an approval of ' || x.tools
            when x.about in ('press', 'message') then 'a person''s answer'
            else 'the event ' || x.about || coalesce(' for ' || x.match, '') end as reason,
       x.since, coalesce(x.until, x.finished_at) as until,
       case when x.until is null and x.finished_at is null then null
            when x.ending is not null then x.ending
            when x.outcome is null and coalesce(x.until, x.finished_at) = x.finished_at then 'the job ended'
            when x.cause = 'limit' then 'it was let through'
            when x.cause = 'pause' then 'it was resumed'
            when x.cause = 'schedule' then 'its time came'
            when x.tools is not null and x.decision is not null and x.outcome is not null
                then x.decision || coalesce(' by ' || x.person, ' by user ' || x.decided_by, ' by an operator (' || x.via || ')', '')
            when x.outcome = 'done' and x.about in ('press', 'message') then 'answered by ' || coalesce(x.person, 'a person')
            when x.outcome = 'done' then 'the event came'
            when x.error_class = 'timeout' then 'the time was up'
            when x.error_class = 'stale' then 'another message came instead'
            else 'it was given up' end as ended_by
from (
    select j.job_id, j.finished_at, w.*, s.outcome, s.error_class, a.tools, a.decision, a.decided_by, a.via,
           case when s.outcome = 'done' and w.about in ('press', 'message')
                then coalesce(s.result ->> 'name',
                              case when s.result ->> 'job_id' ~ '^[0-9]{1,18}$'
                                   then (select m.sender_name from postrider.message m
                                         where m.lane_id = j.lane_id and m.job_id = (s.result ->> 'job_id')::bigint
                                           and m.position = 0 and m.role = 'user') end) end as person
    from postrider.job j
    cross join lateral (
        select * from jsonb_to_recordset(j.waited)
            as w(cause text, since timestamptz, until timestamptz, about text, match text, key text, ending text)
        union all
        select 'event', w.since, null, w.type, w.match, w.key, null from postrider.wait w where w.job_id = j.job_id
        union all
        select 'limit', p.since, null, p.reason, null, null, null from postrider.bucket_place p where p.job_id = j.job_id
        union all
        select 'pause', j.paused_at, null, null, null, null, null where j.paused_at is not null
        union all
        select 'schedule', j.created_at, null, null, null, null, null where j.state = 'scheduled') w
    left join lateral (select * from postrider.step s
                       where w.cause = 'event' and s.job_id = j.job_id and s.key = w.key and s.outcome in ('done', 'failed') and s.ended_at >= w.since
                       limit 1) s on true
    left join lateral (select string_agg(a.tool, ', ' order by a.call) as tools, string_agg(distinct a.state, ', ') as decision,
                              min(a.decided_by) as decided_by, min(a.decided_via) as via
                       from postrider.approval a where w.cause = 'event' and a.question = w.match) a on true) x
union all
select j.job_id, 'retry', 'retry ' || s.attempt || ' of ' || s.key || ' after ' || s.error_class || coalesce(': ' || s.error, ''),
       s.ended_at, e.until, case when n.started_at is not null then 'retry ' || s.attempt || ' began'
                                 when e.until = j.finished_at then 'the job ended'
                                 when e.until is not null then 'its time came' end
from postrider.job j
join postrider.step s on s.job_id = j.job_id and s.outcome = 'retry'
left join postrider.step n on n.job_id = s.job_id and n.key = s.key and n.attempt = s.attempt + 1
-- What an earlier life of the job would have tried again, the next one left.
cross join lateral (select coalesce(n.started_at, case when position('~' in s.key) > 0 then least(s.next_at, j.begun_at) end, j.finished_at,
                                    case when j.state = 'running' and s.next_at <= postrider.now() then s.next_at end) as until) e
union all
select j.job_id, 'sleep', 'the end of its sleep ' || s.key, s.started_at, e.until,
       case when e.until < s.next_at then 'the job ended' when e.until is not null then 'its time came' end
from postrider.job j
join postrider.step s on s.job_id = j.job_id and s.outcome = 'done' and s.next_at > s.started_at
cross join lateral (select case when least(s.next_at, j.finished_at) <= postrider.now() then least(s.next_at, j.finished_at) end as until) e
union all
-- It came behind others, then it had to be taken up. Its arrival number says how many there may have been.
select x.job_id, w.cause, w.reason, w.since, w.until, w.ended_by
from (
    select j.job_id, j.lane_id, c.since, b.job_id as before, b.state as before_state, b.finished_at as free_at, j.started_at,
           coalesce(j.started_at, j.finished_at) as until
    from postrider.job j
    cross join lateral (
        select greatest(j.created_at, (select max((w.wait ->> 'until')::timestamptz) from jsonb_array_elements(j.waited) w(wait)
                                       where w.wait ->> 'cause' = 'schedule')) as since) c
    left join lateral (
        select p.* from (select p.job_id, p.state, p.finished_at from postrider.job p
                         where p.lane_id = j.lane_id and p.job_id < j.job_id
                         order by p.job_id desc limit case when j.arrival > 0 then least(j.arrival - 1, 100) else 100 end) p
        where p.finished_at > c.since and p.finished_at <= coalesce(j.started_at, j.finished_at)
        order by p.finished_at desc limit 1) b on true
    where j.started_at is not null or j.finished_at is not null) x
cross join lateral (
    select 'lane' as cause, 'its lane: job ' || x.before || ' came first' as reason, x.since, x.free_at as until,
           'job ' || x.before || ' ' || x.before_state as ended_by
    where x.before is not null
    union all
    select 'start', case when l.debounce_ms > 0 then 'quiet in its chat' else 'a free slot, or the end of a pause' end,
           coalesce(x.free_at, x.since), x.until, case when x.started_at is not null then 'it began' else 'the job ended' end
    from postrider.lane l
    where l.lane_id = x.lane_id and x.until - coalesce(x.free_at, x.since) >= interval '1 s') w
union all
select w.job_id, case when w.reason like '%paused%' then 'pause' when w.reason like 'job %' then 'lane' else 'start' end, w.reason,
       w.since, null, null
from postrider.waiting_jobs w join postrider.job j using (job_id)
where j.state = 'available' and j.started_at is null;
comment on view postrider.job_waits is
    'what a job waited for, and still does: cause (lane, start, retry, breaker, limit, approval, person, event, sleep, schedule, pause), the reason in words, its time, and what ended it; order by since';
comment on column postrider.job_waits.until is 'null = it waits still';
