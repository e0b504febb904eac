-- What is kept of a job's waits once they are over. Steps keep their retries and sleeps themselves.

create or replace function postrider.ended_wait(
    cause text, since timestamptz, about text default null, match text default null, key text default null, ending text default null,
    ended_at timestamptz default null
) returns jsonb language sql stable as $$
    select jsonb_strip_nulls(jsonb_build_object(
        'cause', cause, 'since', since, 'until', coalesce(ended_at, postrider.now()), 'about', about, 'match', match, 'key', key,
        'ending', ending))
$$;
comment on function postrider.ended_wait(text, timestamptz, text, text, text, text, timestamptz) is
    'for the functions of this schema and for workers: a wait that ends now, or ended then, as job.waited keeps it; cause: event, limit, pause, schedule; ending: what ended it, where that is not the usual';

create or replace function postrider.with_waits(earlier jsonb, ended jsonb) returns jsonb language sql immutable as $$
    select case when jsonb_array_length(coalesce(earlier, '[]') || ended) <= 50 then coalesce(earlier, '[]') || ended
                else (select jsonb_agg(w.wait order by w.place)
                      from (select * from jsonb_array_elements(coalesce(earlier, '[]') || ended) with ordinality as w(wait, place)
                            order by w.place desc limit 50) w) end
$$;
comment on function postrider.with_waits(jsonb, jsonb) is
    'for the functions of this schema and for workers: job.waited with what ended; the newest 50, as a job may wait without end';

create or replace function postrider.job_end_waits(job bigint) returns void language sql as $$
    with places as (
        delete from postrider.bucket_place p where p.job_id = job returning p.since, p.reason
    ), events as (
        delete from postrider.wait w where w.job_id = job returning w.since, w.type, w.match, w.key
    ), ended as (
        select postrider.ended_wait('limit', since, reason) as wait, since from places
        union all select postrider.ended_wait('event', since, type, match, key), since from events
    )
    update postrider.job j
    set waited = postrider.with_waits(j.waited, (select jsonb_agg(e.wait order by e.since) from ended e))
    where j.job_id = job and exists (select from ended)
$$;
comment on function postrider.job_end_waits(bigint) is 'for the functions of this schema: a job does not wait any more, for whatever it was';

create or replace function postrider.lane_name(key text) returns text language sql stable parallel safe as $$
    select case when c.chat <> key then 'commands of ' else '' end
        || case when c.chat ~ '^[0-9]{1,18}:-?[0-9]{1,18}:[0-9]{1,18}$'
                then coalesce((select b.name from postrider.bot b where b.bot_id = split_part(c.chat, ':', 1)::bigint),
                              'bot ' || split_part(c.chat, ':', 1))
                     || ', chat ' || split_part(c.chat, ':', 2)
                     || case when split_part(c.chat, ':', 3) <> '0' then ', topic ' || split_part(c.chat, ':', 3) else '' end
                when starts_with(c.chat, 'chat:') then 'conversation ' || substr(c.chat, 6)
                else c.chat end
    from (select case when starts_with(key, 'commands:') then substr(key, 10) else key end) c(chat)
$$;
comment on function postrider.lane_name(text) is
    'a lane''s key for people: "main, chat 42, topic 7" for 1:42:7, and "commands of" it for commands:1:42:7; other keys are words already';
