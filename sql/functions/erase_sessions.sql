-- For postrider erase: what stands in named sessions, in this database or outside, and what was made of it.

-- A record of memories that an agent recalled: `said_by` names the people whose messages they come from. A tool's result has it as a
-- text within the text.
create or replace function postrider.recalls_words_of(record text, person bigint) returns boolean language sql immutable parallel safe as $$
    select record like '%said_by%' and record ~ ('said_by\\?": ?\[([0-9, ]*[ ,])?' || person || '[],]')
$$;
comment on function postrider.recalls_words_of(text, bigint) is 'for postrider erase: whether a recorded text has memories of what the person said';

-- Sessions outside this database, by the steps that wrote to them and by the jobs that were to.
create or replace function postrider.outside_sessions(jobs bigint[]) returns jsonb language sql stable as $$
    select coalesce(jsonb_agg(jsonb_build_object('session', o.session, 'jobs', o.jobs)), '[]')
    from (select x.session, jsonb_agg(distinct x.job_id) as jobs
          from (select s.result -> 'session' as session, s.job_id from postrider.step s
                where s.job_id = any(jobs) and s.key ~ '(^|/)remember(#[0-9]+)?$' and jsonb_typeof(s.result) = 'object' and s.result ? 'session'
                union
                select w.input -> 'session', substring(e.value from '^[0-9]{20}')::bigint
                from postrider.job w
                cross join lateral jsonb_array_elements_text(case when jsonb_typeof(w.input -> 'entries') = 'array' then w.input -> 'entries'
                                                                  else '[]' end) e
                where w.job_id = any(jobs) and w.kind = 'memory.write') x
          where x.job_id is not null and jsonb_typeof(x.session -> 'key') = 'string'
          group by x.session) o
$$;
comment on function postrider.outside_sessions(bigint[]) is 'for erase_jobs: the sessions outside this database in which these jobs wrote, each with the jobs';

-- Whose a message of a named session is, its job knows; `unknown` counts those whose job is gone.
create or replace function postrider.erase_sessions(person bigint, after jsonb default null, most int default 5000, out goes_on jsonb, out cleared jsonb)
language plpgsql as $$
declare
    own constant bigint[] := postrider.lanes_of(person);
    looked bigint;
    gone bigint;
    orphans bigint;
    sessions text[];
    lanes bigint[];
    summaries bigint;
    questions bigint;
    running bigint := 0;
    found_job bigint;
begin
    with page as materialized (
        select s.session, s.job_id, s.position from postrider.session_message s
        where (s.session, s.job_id, s.position) > (coalesce(after ->> 0, ''), coalesce((after ->> 1)::bigint, 0), coalesce((after ->> 2)::bigint, 0))
        order by s.session, s.job_id, s.position limit most
    ), turn as materialized (
        select p.job_id, j.job_id is not null as known,
               j.finished_at is not null and postrider.job_is_of(person, own, j.lane_id, j.input) as theirs
        from (select distinct page.job_id from page) p
        left join lateral (select * from postrider.job j where j.job_id = p.job_id offset 0) j on true
    ), deleted as (
        delete from postrider.session_message s using page p
        where s.session = p.session and s.job_id = p.job_id and s.position = p.position
          and p.job_id = any(array(select t.job_id from turn t where t.theirs))
        returning s.session, s.job_id
    ), summarised as (
        -- Each summary covers all that came before it. The next one is made without these messages.
        delete from postrider.session_message s
        using (select d.session, min(d.job_id) as job_id from deleted d group by d.session) d
        where s.session = d.session and s.job_id >= d.job_id and s.role = 'system'
          and not s.job_id = any(array(select t.job_id from turn t where t.theirs))
        returning 1
    )
    select (select count(*) from page), (select count(*) from deleted) + (select count(*) from summarised),
           (select count(*) from page p where p.job_id = any(array(select t.job_id from turn t where not t.known))),
           (select jsonb_build_array(p.session, p.job_id, p.position) from page p
            order by p.session desc, p.job_id desc, p.position desc limit 1),
           array(select distinct d.session from deleted d)
    into looked, gone, orphans, goes_on, sessions;
    update postrider.session_message s set content = ''
    where (s.session, s.job_id, s.position) > (coalesce(after ->> 0, ''), coalesce((after ->> 1)::bigint, 0), coalesce((after ->> 2)::bigint, 0))
      and (goes_on is null or (s.session, s.job_id, s.position) <= (goes_on ->> 0, (goes_on ->> 1)::bigint, (goes_on ->> 2)::bigint))
      and s.role = 'tool' and postrider.recalls_words_of(s.content, person);
    -- The jobs that summarised these sessions have read what was said there.
    lanes := array(select l.lane_id from postrider.lane l
                   where l.lane_key = any(array(select 'summary:' || x from unnest(sessions) x)) order by l.lane_id);
    for found_job in
        select j.job_id from postrider.job j where j.lane_id = any(lanes) and j.finished_at is null order by j.lane_id, j.job_id
    loop
        perform postrider.job_cancel(found_job);
        if exists (select from postrider.job j where j.job_id = found_job and j.finished_at is null) then running := running + 1; end if;
    end loop;
    update postrider.step s set result = null
    where s.job_id = any(array(select j.job_id from postrider.job j where j.lane_id = any(lanes))) and s.result is not null;
    get diagnostics summaries = row_count;
    delete from postrider.audit_content c where c.lane_id = any(lanes);
    get diagnostics questions = row_count;
    if looked < most then goes_on := null; end if;
    cleared := jsonb_build_object('session_message', gone, 'step', summaries, 'audit_content', questions, 'unknown', orphans)
               || case when running > 0 then jsonb_build_object('running', running) else '{}' end;
end $$;
comment on function postrider.erase_sessions(bigint, jsonb, int) is
    'for postrider erase: deletes a person''s messages among the next ones of named sessions, and the summaries that cover them; unknown = those of jobs that retention has removed: nobody knows whose they are';
