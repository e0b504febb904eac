-- Is the end of a chain there? A chain whose newest rows were cut off holds as far as it goes. But what a model or a tool
-- returned was recorded by the commit that wrote its row, so the newest turns of a lane say which rows there must be. It
-- costs no write of its own. A call that was refused has a record as well: the step, or where it was beyond the limit the
-- message that answered it. The chain of no lane has no turns; its end is noted by itself (audit_end).

-- Behind a row of the server another row's seal needs the key, as the row itself did.
create or replace function postrider.audit_end_cut() returns table (written bigint, present bigint) language sql stable as $$
    with noted as (
        select e.number, e.hash, e.seal, a.hash as found, b.hash as before,
               postrider.audit_line(a.lane_id, a.number, a.job_id, a.nonce, a.created_at, a.kind, a.actor, a.subject, a.detail, a.content_hash) as line
        from (values (0::bigint)) n(lane_id)
        left join postrider.audit_end e using (lane_id)
        left join postrider.audit a on a.lane_id = n.lane_id and a.number = e.number
        left join postrider.audit b on b.lane_id = n.lane_id and b.number = e.number - 1
    ), judged as (
        select n.number,
               n.number = 0 and n.hash is null and not exists (select from postrider.audit x where x.lane_id = 0)
               or n.found = n.hash as is_there,
               postrider.audit_key() is null or n.seal = postrider.audit_seal(n.number, n.hash)
               or n.seal = postrider.audit_seal(n.number, n.hash, null)
                  and (n.number = 0 or n.found <> postrider.audit_link(n.before, n.line)) as is_sealed
        from noted n
    )
    select coalesce(j.number, 0), (select count(*) from postrider.audit a where a.lane_id = 0) from judged j
    where j.number is null or not coalesce(j.is_there, false) or not coalesce(j.is_sealed, false)
$$;
comment on function postrider.audit_end_cut() is
    'for audit_tails: a row if the chain of lane 0 does not reach the end that is noted for it, or that note is gone or was changed; how many rows were written and are there';

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
            where s.job_id = t.job_id
              and (s.outcome = 'done' and s.key ~ '(^|/)(model(:[0-9.]+)?|tool:[0-9]+)(#[0-9]+)?$'
                   or s.outcome = 'failed' and s.error_class = 'refused' and s.key ~ '(^|/)tool:[0-9]+(#[0-9]+)?$') offset 0) s
        group by t.lane_id, t.job_id, step
    ), beyond as (
        -- Of a call beyond the limit there is only its answer, which a tool may have given as well.
        select t.lane_id, t.job_id, 'refusals' as step, count(*) - (
                   select count(*) from postrider.step s
                   where s.job_id = t.job_id and concat(s.result, s.error) like '%limit reached%' and s.key ~ '(^|/)tool:[0-9]+') as results,
               0 as of_job
        from turn t cross join lateral (
            select from postrider.message m
            where m.lane_id = t.lane_id and m.job_id = t.job_id and m.role = 'tool' and m.content = 'limit reached' offset 0) m
        group by t.lane_id, t.job_id
    ), due as (
        select * from recorded union all select * from beyond
    ), told as (
        select r.lane_id, a.job_id, a.subject, count(*) as written
        from (select distinct lane_id from due) r cross join lateral (
            select a.job_id, a.kind, case when a.kind = 'refusal' and a.detail ->> 'reason' = 'limit' then 'refusals' else a.subject end as subject
            from postrider.audit a
            where a.lane_id = r.lane_id order by a.number desc limit 5000) a
        where a.kind in ('model_call', 'tool_call', 'refusal')
        group by r.lane_id, a.job_id, a.subject
    ), missing as (
        select r.lane_id, r.job_id, r.step, r.results, coalesce(t.written, 0) as written
        from due r left join told t on t.lane_id = r.lane_id and t.job_id = r.job_id and t.subject = r.step
        where coalesce(t.written, 0) < r.results and r.of_job <= 1000
        union all
        select 0, 0, 'end', e.written, e.present from postrider.audit_end_cut() e where after_lane < 0
    )
    select (select count(*) from page), (select max(lane_id) from page),
           coalesce((select json_agg(json_build_object('lane_id', m.lane_id, 'job_id', m.job_id, 'step', m.step, 'results', m.results,
                                                       'rows', m.written) order by m.lane_id, m.job_id, m.step) from missing m), '[]')
$$;
comment on function postrider.audit_tails(bigint, int) is
    'looks in the newest turns of the next lanes for results of models and tools whose rows are not in the audit: the end of that chain was cut off. The first call looks at the end of lane 0 as well: its step is "end". How many lanes, the last one, and what is missing';
