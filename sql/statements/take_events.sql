-- Consumes the oldest event that a wait asks for. A wait whose step stands in the record already (its commit's answer was lost)
-- gets what was recorded. On a routing lane the next message that nobody has begun to answer is an event too. A message answers
-- what the job said last, from the intent on: an answer that comes at once may precede the wait, and is dated before it waits
-- for the lane. Messages that the wait has heard (heard_to) are passed over.
--
-- $1: a row for each wait
-- $2, $3: the least and the greatest job of the rows
-- returns: i, taken, payload, milliseconds left of the wait, microseconds since it began, the job of the message that it is
-- shown, whether that came before the wait, the class and the words of a recorded failure; a row for each wait
-- order: 76
with w as materialized (
    select t.*, a.until_at, a.since, s.result, s.job_id is not null as known, s.outcome is not distinct from 'failed' as late,
           case when s.outcome = 'failed' then s.error_class end as error_class, s.error,
           coalesce(least(a.since, said.at), postrider.now()) as may_answer_since,
           greatest(t.job_id, t.heard_to, a.heard_to) as all_heard_to
    from json_to_recordset($1::json) as t(i int, job_id bigint, lane_id bigint, key text, type text, match text,
                                            timeout bigint, takes_message boolean, ends_on_message boolean, heard_to bigint)
    left join lateral (select * from postrider.wait a where a.job_id = t.job_id and a.key = t.key) a on true
    left join lateral (select * from postrider.step s
                       where s.job_id between $2::bigint and $3::bigint and s.job_id = t.job_id and s.key = t.key
                         and s.outcome in ('done', 'failed') limit 1) s on true
    left join lateral (select max(e.planned_at) as at from postrider.effect e
                       where t.ends_on_message and e.job_id between $2::bigint and $3::bigint
                         and e.job_id = t.job_id) said on true
), e as (
    delete from postrider.event where event_id = any(array(
        select x.event_id from w cross join lateral (
            select e.event_id from postrider.event e
            where e.lane_id = w.lane_id and e.type = w.type and (e.job_id is null or e.job_id = w.job_id)
              and e.match is not distinct from w.match
            order by e.event_id limit 1) x
        where not w.known))
    returning lane_id, payload
), m as materialized (
    select w.lane_id, w.job_id as asker, w.takes_message, x.job_id, x.created_at < w.may_answer_since as early,
           jsonb_build_object('job_id', x.job_id, 'input', x.input)
               || coalesce(jsonb_build_object('text', x.content), '{}') as payload
    from w cross join lateral (
        select j.job_id, j.created_at, j.input, said.content from postrider.job j
        left join postrider.message said
            on said.lane_id = j.lane_id and said.job_id = j.job_id and said.position = 0 and said.role = 'user'
        where j.lane_id = w.lane_id and j.job_id between $2::bigint and $3::bigint and j.job_id > w.all_heard_to
          and j.state = 'available' and j.started_at is null and (w.takes_message or said.job_id is not null)
        order by j.job_id limit 1) x
    where (w.takes_message or w.ends_on_message) and not w.known and w.lane_id <> all(array(select lane_id from e))
), q as (
    update postrider.job j
    set state = 'completed', finished_at = postrider.now(), output = jsonb_build_object('routed_to', m.asker)
    from m
    where m.takes_message and j.job_id between $2::bigint and $3::bigint and j.job_id = any(array(select job_id from m))
      and j.job_id + 0 = m.job_id
), p as (
    select lane_id, payload, null::bigint as heard, false as early from e
    union all select lane_id, payload, case when not takes_message then job_id end, early from m
)
select w.i, w.known and not w.late or p.lane_id is not null, coalesce(w.result, p.payload),
       ceil(extract(epoch from coalesce(w.until_at, postrider.now() + w.timeout * interval '1 ms') - postrider.now()) * 1000)::bigint,
       (extract(epoch from postrider.now() - coalesce(w.since, postrider.now())) * 1000000)::bigint, p.heard, coalesce(p.early, false),
       w.error_class, w.error
from w left join p on p.lane_id = w.lane_id
