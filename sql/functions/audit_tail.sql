-- Is the end of a chain there? A chain whose newest rows were cut off holds as far as it goes. But what a model or a tool
-- returned was recorded by the commit that wrote its row, so the newest turns of a lane say which rows there must be. It
-- costs no write of its own.

-- Goes on behind a lane, so many lanes at a time. What a fork was given of another job's record was audited there.
create or replace function postrider.audit_tails(
    after_lane bigint default -1, most int default 500, out lanes bigint, out last_lane bigint, out cut json
) language sql stable as $$
    with page as materialized (
        select l.lane_id from postrider.lane l where l.lane_id > after_lane order by l.lane_id limit most
    ), turn as (
        select p.lane_id, j.job_id
        from page p cross join lateral (
            select j.job_id, j.forked_from from postrider.job j
            where j.lane_id = p.lane_id order by j.job_id desc limit 3) j
        where j.forked_from is null
    ), recorded as (
        select t.lane_id, t.job_id, split_part(s.key, '#', 1) as step, count(*) as results, sum(count(*)) over (partition by t.job_id) as of_job
        from turn t cross join lateral (
            select s.key from postrider.step s
            where s.job_id = t.job_id and s.outcome = 'done' and s.key ~ '(^|/)(model(:[0-9.]+)?|tool:[0-9]+)(#[0-9]+)?$' offset 0) s
        group by t.lane_id, t.job_id, step
    ), told as (
        select r.lane_id, a.job_id, a.subject, count(*) as written
        from (select distinct lane_id from recorded) r cross join lateral (
            select a.job_id, a.subject, a.kind from postrider.audit a
            where a.lane_id = r.lane_id order by a.number desc limit 5000) a
        where a.kind in ('model_call', 'tool_call')
        group by r.lane_id, a.job_id, a.subject
    ), missing as (
        select r.lane_id, r.job_id, r.step, r.results, coalesce(t.written, 0) as written
        from recorded r left join told t on t.lane_id = r.lane_id and t.job_id = r.job_id and t.subject = r.step
        where coalesce(t.written, 0) < r.results and r.of_job <= 1000
    )
    select (select count(*) from page), (select max(lane_id) from page),
           coalesce((select json_agg(json_build_object('lane_id', m.lane_id, 'job_id', m.job_id, 'step', m.step, 'results', m.results,
                                                       'rows', m.written) order by m.lane_id, m.job_id, m.step) from missing m), '[]')
$$;
comment on function postrider.audit_tails(bigint, int) is
    'looks in the newest turns of the next lanes for results of models and tools whose rows are not in the audit: the end of that chain was cut off. How many lanes, the last one, and what is missing';
