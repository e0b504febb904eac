-- Coalesces the messages of lanes.
--
-- The newest message's job takes the place of this one and of all that nobody has begun between. No further than to a
-- fork, a job that was begun before or one of which something is asked: those are not for another job to answer, and left
-- behind they would be live below the lane's head. Nor does it where something is asked of this one: that is done first. A
-- job that was put back meanwhile stays the head. The lane's one running job is ours, also when this is sent again after
-- its answer was lost.
--
-- It takes the place of 999 jobs at most, so that one turn has room for all that it answers: those behind are coalesced next.
--
-- $1: a row for each lane
-- $2, $3: the least and the greatest job of the rows
-- returns: i, and the newest message's job (parts/begun_job.sql)
-- order: 95
with w as materialized (
    select w.*, x.job_id as newest
    from json_to_recordset($1::json) as w(i int, lane_id bigint, epoch bigint, job_id bigint)
    cross join lateral (select min(j.job_id) as job_id from postrider.job j
                        where j.lane_id = w.lane_id and j.job_id between $2::bigint and $3::bigint
                          and j.job_id > w.job_id
                          and (j.state in ('waiting', 'retryable')
                               or j.state = 'available'
                                  and (j.started_at is not null or j.forked_from is not null or j.asked is not null))) b
    cross join lateral (select max(c.job_id) as job_id
                        from (select j.job_id from postrider.job j
                              where j.lane_id = w.lane_id and j.job_id between $2::bigint and $3::bigint
                                and j.job_id > w.job_id and j.job_id < coalesce(b.job_id, j.job_id + 1)
                                and (j.state = 'available' and j.started_at is null or j.state = 'running')
                              order by j.job_id limit 999) c
                        having count(*) > 0) x
    where exists (select from postrider.job j
                  where j.job_id between $2::bigint and $3::bigint and j.job_id = w.job_id and j.asked is null offset 0)
), o as (
    update postrider.job j
    set state = 'completed', finished_at = postrider.now(), output = jsonb_build_object('coalesced_into', w.newest)
    from w
    where j.lane_id = w.lane_id and j.job_id between $2::bigint and $3::bigint
      and j.job_id >= w.job_id and j.job_id < w.newest
      and (j.state = 'running' or j.state = 'available' and j.started_at is null)
), h as (
    update postrider.lane_run r
    set head = case when r.head < w.job_id then r.head else w.newest end, asked = case when postrider.lane_holds(r.asked, r.lane_id) then 'hold' end from w
    where r.epoch = any(array(select epoch from w)) and r.node_id is not null and r.lane_id + 0 = w.lane_id
), g as (
    update postrider.job j
    set state = 'running', run_no = 1, started_at = coalesce(j.started_at, postrider.now())
    where j.job_id between $2::bigint and $3::bigint and j.job_id = any(array(select newest from w))
    returning {{begun_job}}
)
select w.i, g.* from w join g on g.job_id = w.newest
