-- Frees lanes of dead nodes, or a lane whose lease its node gives up. A statement of its own: it must see what the dead node's last commit left.
--
-- A job that died as the only suspect of its node has used up one of its lost runs. Where there were several, the node's row
-- remembers it: one that is locked now is rescued later, when no other is left. All that were in flight are suspects now, but
-- for those whose lost runs are used up: a worker ends them without running them, and one that died nevertheless is counted on,
-- so that its failure function is not called again. A job that goes first since (a person retried it) was not in flight: the lane is
-- no suspect for it, as lane_admit has it for a free lane. What a running job's process was doing is a lost attempt, which its row tells.
--
-- $1: the lanes
-- $2: how many runs a job may lose
-- $3: 0 = the node has put its work back by itself, and nothing is suspect or lost
-- returns: how many lanes, jobs with no lost runs left, suspects
with n as materialized (
    select r.node_id, count(*) > 1 as several from postrider.lane_run r
    where r.node_id = any(array(select o.node_id from postrider.lane_run o where o.lane_id = any($1::bigint[]))) and r.suspect > 0
    group by r.node_id
), m as (
    update postrider.node set several_suspects = true
    where node_id = any(array(select node_id from n where several)) and $3::int = 1
), l as materialized (
    select r.lane_id, r.node_id, r.head, $3::int = 1 and r.suspect > 0
           and r.node_id <> all(array(select node_id from n where several))
           and not exists (select from postrider.node d where d.node_id = r.node_id and d.several_suspects) as alone
    from postrider.lane_run r where r.lane_id = any($1::bigint[])
), x as materialized (
    select l.lane_id, l.alone, j.job_id, j.lost, j.run_no, l.node_id, d.host, d.beat_at, f.job_id as first from l
    left join postrider.node d on d.node_id = l.node_id
    left join lateral (select j.job_id, j.lost, j.run_no from postrider.job j
                       where j.lane_id = l.lane_id and j.job_id >= l.head and j.state = 'running'
                       order by j.job_id limit 1) j on true
    left join lateral postrider.first_live_job(l.lane_id, l.head) f on true
), k as materialized (
    select job_id from postrider.job where job_id = any(array(select job_id from x)) for update skip locked
), y as materialized (
    select x.lane_id, x.job_id, x.first, x.lost + x.alone::int >= $2::int as spent,
           (x.alone or $3::int = 1 and x.lost >= $2::int)::int as died,
           case when $3::int = 1 then jsonb_build_object('run', x.run_no, 'node_id', x.node_id, 'host', x.host,
                                                         'beat_at', x.beat_at, 'lost_at', postrider.now()) end as attempt
    from x where x.job_id is null or x.job_id in (select job_id from k)
), j as (
    update postrider.job j
    set lost = j.lost + y.died, state = 'available',
        lost_attempts = case when y.attempt is null then j.lost_attempts
                             when jsonb_array_length(j.lost_attempts) >= 20 then (j.lost_attempts - 0) || y.attempt
                             else coalesce(j.lost_attempts, '[]') || y.attempt end
    from y where j.job_id = any(array(select job_id from y)) and j.job_id + 0 = y.job_id
), f as (
    update postrider.lane_run r
    set node_id = null, epoch = nextval('postrider.number'), ready_at = postrider.now(), wait_reason = null,
        head = coalesce(y.first, r.head),
        suspect = case when y.first < y.job_id then 0 when $3::int = 0 then r.suspect
                       when y.job_id is null or y.spent then 0 else least(r.suspect + 1, 10) end
    from y where r.lane_id = any(array(select lane_id from y)) and r.lane_id + 0 = y.lane_id and r.node_id is not null
)
select count(*), count(*) filter (where spent), count(*) filter (where first = job_id and not spent) from y
