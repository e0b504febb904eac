#pragma once
// The statements of a worker's commit, in the order in which one transaction runs them. Each takes
// $1 = json array of rows with "i"; the orders between 10 and 70 belong to other rooms' rows. Those
// that read job, step or effect are bounded by the range of the batch's jobs, $2 and $3.
//
// "= any(array(...))" bounds what an update reads whatever the plan was made for, and "+ 0" keeps
// the join out of the index: plans made while the tables were empty took a second otherwise
// (measured). A lane's row is found by the epoch of its lease: by its lane alone, a look-up would
// meet the versions of all bursts that an old snapshot keeps.
#include "queue/store/pause_sql.hpp"
#include "queue/store/sql.hpp"
#include "storage/database.hpp"

namespace postrider::queue::sql {

// A commit whose answer was lost is sent again under the same lease: the rows may stand already.
// An attempt ended `ago` microseconds before this statement, and not before `after`, microseconds
// since 1970; without an `ago` it is dated by its commit. Returns for each unit when its latest
// attempt ended.
inline constexpr storage::statement record_attempts{
    "record_attempts",
    R"(
with w as materialized (
    select t.*, greatest(postrider.now() - coalesce(ago, 0) * interval '1 us',
                         'epoch'::timestamptz + after * interval '1 us') as ended
    from json_to_recordset($1::json) as t(i int, job_id bigint, key text, attempt smallint, seq smallint, outcome text,
         result jsonb, error_class text, error text, error_data jsonb, policy jsonb, usage jsonb, took bigint, ago bigint, after bigint,
         next_in bigint, until bigint, node_id bigint)
), s as (
    insert into postrider.step (job_id, key, attempt, seq, outcome, result, error_class, error, error_data, policy,
                                usage, started_at, ended_at, next_at, node_id)
    select job_id, key, attempt, seq, outcome, result, error_class, error, error_data, policy, usage,
           ended - took * interval '1 us', ended,
           coalesce(to_timestamp(until / 1000.0), ended + next_in * interval '1 ms'), node_id
    from w
    on conflict do nothing
)
select i, (extract(epoch from max(ended)) * 1000000)::bigint from w where ago is not null group by i
)",
    70};

inline constexpr storage::statement plan_effects{
    "plan_effects",
    R"(
insert into postrider.effect (job_id, key, kind, class, state, request)
select job_id, key, kind, class, state, request
from json_to_recordset($1::json) as t(i int, job_id bigint, key text, kind text, class text, state text, request jsonb)
on conflict do nothing
)",
    72};

inline constexpr storage::statement change_effects{
    "change_effects",
    R"(
with w as materialized (
    select * from json_to_recordset($1::json)
        as t(i int, job_id bigint, key text, state text, flagged boolean, result jsonb)
)
update postrider.effect e
set state = w.state, flagged = e.flagged or w.flagged, result = coalesce(w.result, e.result),
    settled_at = case when w.state in ('done', 'failed', 'unknown') then postrider.now() end
from w
where e.job_id between $2::bigint and $3::bigint and e.job_id = any(array(select job_id from w))
  and e.job_id + 0 = w.job_id and e.key || '' = w.key
)",
    74,
    storage::rows_and_range};

// Consumes the oldest event that a wait asks for: one row each (taken, payload, milliseconds left
// of the wait, microseconds since it began, the job of the message that it is shown, whether that
// came before the wait, and the class and the words of a recorded failure). A wait whose step stands
// in the record already (its commit's answer was lost) gets what was recorded. On a routing lane the
// next message that nobody has begun to answer is an event too. A message answers what the job said
// last, from the intent on: an answer that comes at once may precede the wait, and is dated before
// it waits for the lane.
inline constexpr storage::statement take_events{
    "take_events",
    R"(
with w as materialized (
    select t.*, a.until_at, a.since, s.result, s.job_id is not null as known, s.outcome is not distinct from 'failed' as late,
           case when s.outcome = 'failed' then s.error_class end as error_class, s.error,
           coalesce(least(a.since, said.at), postrider.now()) as may_answer_since
    from json_to_recordset($1::json) as t(i int, job_id bigint, lane_id bigint, key text, type text, match text,
                                            timeout bigint, mail boolean, hears boolean)
    left join lateral (select * from postrider.wait a where a.job_id = t.job_id and a.key = t.key) a on true
    left join lateral (select * from postrider.step s
                       where s.job_id between $2::bigint and $3::bigint and s.job_id = t.job_id and s.key = t.key
                         and s.outcome in ('done', 'failed') limit 1) s on true
    left join lateral (select max(e.planned_at) as at from postrider.effect e
                       where t.hears and e.job_id between $2::bigint and $3::bigint and e.job_id = t.job_id) said on true
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
    select w.lane_id, w.job_id as asker, w.mail, x.job_id, x.created_at < w.may_answer_since as early,
           jsonb_build_object('job_id', x.job_id, 'input', x.input)
               || coalesce(jsonb_build_object('text', x.content), '{}') as payload
    from w cross join lateral (
        select j.job_id, j.created_at, j.input, said.content from postrider.job j
        left join postrider.message said
            on said.lane_id = j.lane_id and said.job_id = j.job_id and said.position = 0 and said.role = 'user'
        where j.lane_id = w.lane_id and j.job_id between $2::bigint and $3::bigint and j.job_id > w.job_id
          and j.state = 'available' and j.started_at is null and (w.mail or said.job_id is not null)
        order by j.job_id limit 1) x
    where (w.mail or w.hears) and not w.known and w.lane_id <> all(array(select lane_id from e))
), q as (
    update postrider.job j
    set state = 'completed', finished_at = postrider.now(), output = jsonb_build_object('routed_to', m.asker)
    from m
    where m.mail and j.job_id between $2::bigint and $3::bigint and j.job_id = any(array(select job_id from m))
      and j.job_id + 0 = m.job_id
), p as (
    select lane_id, payload, null::bigint as heard, false as early from e
    union all select lane_id, payload, case when not mail then job_id end, early from m
)
select w.i, w.known and not w.late or p.lane_id is not null, coalesce(w.result, p.payload),
       ceil(extract(epoch from coalesce(w.until_at, postrider.now() + w.timeout * interval '1 ms') - postrider.now()) * 1000)::bigint,
       (extract(epoch from postrider.now() - coalesce(w.since, postrider.now())) * 1000000)::bigint, p.heard, coalesce(p.early, false),
       w.error_class, w.error
from w left join p on p.lane_id = w.lane_id
)",
    76,
    storage::rows_and_range};

// The message that a wait was shown answers it.
inline constexpr storage::statement take_message{
    "take_message",
    R"(
update postrider.job j
set state = 'completed', finished_at = postrider.now(), output = jsonb_build_object('routed_to', t.asker)
from json_to_recordset($1::json) as t(i int, job_id bigint, asker bigint)
where j.job_id between $2::bigint and $3::bigint and j.job_id = t.job_id and j.state = 'available'
)",
    79,
    storage::rows_and_range};

inline constexpr storage::statement add_waits{
    "add_waits",
    R"(
with w as materialized (
    insert into postrider.wait (job_id, lane_id, key, type, match, until_at, hears)
    select job_id, lane_id, key, type, match, postrider.now() + timeout * interval '1 ms', mail or hears
    from json_to_recordset($1::json) as t(i int, job_id bigint, lane_id bigint, key text, type text, match text,
                                            timeout bigint, mail boolean, hears boolean)
    on conflict do nothing
), m as materialized (
    select lane_id, epoch
    from json_to_recordset($1::json) as t(i int, lane_id bigint, epoch bigint, mail boolean, hears boolean)
    where mail or hears
)
update postrider.lane_run r set wants_mail = true
from m
where r.epoch = any(array(select epoch from m)) and r.node_id is not null and r.lane_id + 0 = m.lane_id
)",
    77};

// Without a key: all that the job waited for, also its places at limits; or the waits whose keys begin
// with `below`. The job keeps what they were.
inline constexpr storage::statement end_waits{
    "end_waits",
    R"(
with t as materialized (
    select * from json_to_recordset($1::json) as t(i int, job_id bigint, key text, below text)
), p as (
    delete from postrider.bucket_place p using t where p.job_id = t.job_id and t.key is null and t.below is null
    returning p.job_id, p.since, p.reason
), a as (
    delete from postrider.wait a using t
    where a.job_id = t.job_id
      and (a.key = t.key or starts_with(a.key, t.below) or t.key is null and t.below is null)
    returning a.job_id, a.since, a.type, a.match, a.key
), e as materialized (
    select job_id, jsonb_agg(ended order by since) as waits
    from (select job_id, since, postrider.ended_wait('limit', since, reason) as ended from p
          union all select job_id, since, postrider.ended_wait('event', since, type, match, key) from a) x
    group by job_id
)
update postrider.job j set waited = postrider.with_waits(j.waited, e.waits)
from e
where j.job_id between $2::bigint and $3::bigint and j.job_id = any(array(select job_id from e))
  and j.job_id + 0 = e.job_id
)",
    78,
    storage::rows_and_range};

// The job waits, and its lane with it: the row is not ready before. A job that was put back
// meanwhile and goes first makes it ready at once.
inline constexpr storage::statement park_jobs{
    "park_jobs",
    R"(
with w as materialized (
    select * from json_to_recordset($1::json)
        as t(i int, job_id bigint, epoch bigint, state text, delay bigint, until bigint, reason text)
), j as (
    update postrider.job j
    set state = w.state, wait_reason = w.reason,
        due_at = least(coalesce(to_timestamp(w.until / 1000.0), postrider.now() + w.delay * interval '1 ms'),
                       j.deadline_at)
    from w
    where j.job_id between $2::bigint and $3::bigint and j.job_id = any(array(select job_id from w))
      and j.job_id + 0 = w.job_id and j.state = 'running'
    returning j.job_id, j.lane_id, w.epoch, j.due_at, j.wait_reason
), x as materialized (
    select j.*, exists (select from postrider.lane_run r join postrider.job o on o.lane_id = r.lane_id
                        where r.lane_id = j.lane_id and r.epoch = j.epoch and o.job_id between $2::bigint and $3::bigint
                          and o.job_id >= r.head and o.job_id < j.job_id
                          and postrider.is_live(o.state) and o.state <> 'running') as overtaken
    from j
)
update postrider.lane_run r
set node_id = null, asked = null, suspect = 0,
    head = case when x.overtaken then r.head else x.job_id end,
    ready_at = case when )" POSTRIDER_LANE_HOLDS
    R"( then 'infinity' when x.overtaken then postrider.now() else x.due_at end,
    wait_reason = case when )" POSTRIDER_LANE_HOLDS
    R"( then 'paused' when not x.overtaken then x.wait_reason end
from x
where r.epoch = any(array(select epoch from x)) and r.node_id is not null and r.lane_id + 0 = x.lane_id
)",
    89,
    storage::rows_and_range};

// Several waits were written one after the other: an event for one of them may have come between, or
// what take_events takes for an answer. Nothing else makes the lane ready: its job would look in vain.
inline constexpr storage::statement look_for_events{
    "look_for_events",
    R"(
with t as materialized (
    select * from json_to_recordset($1::json) as t(i int, job_id bigint, lane_id bigint, epoch bigint)
), w as materialized (
    select t.lane_id, t.epoch from t
    where exists (select from postrider.wait a join postrider.event e on e.lane_id = a.lane_id and e.type = a.type
                      and (e.job_id is null or e.job_id = a.job_id) and e.match is not distinct from a.match
                  where a.job_id = t.job_id offset 0)
       or exists (select from postrider.wait a
                  where a.job_id = t.job_id and a.hears and exists (
                      select from postrider.job j
                      where j.lane_id = t.lane_id and j.job_id between $2::bigint and $3::bigint
                        and j.job_id > t.job_id and j.state = 'available' and j.started_at is null
                        and (a.type = 'message'
                             or exists (select from postrider.message m
                                        where m.lane_id = j.lane_id and m.job_id = j.job_id
                                          and m.position = 0 and m.role = 'user' offset 0)) offset 0) offset 0)
)
update postrider.lane_run r set ready_at = postrider.now()
from w
where r.lane_id = any(array(select lane_id from w)) and r.lane_id + 0 = w.lane_id and r.epoch = w.epoch
  and coalesce(r.node_id, 0) = 0 and r.ready_at < 'infinity'
)",
    97,
    storage::rows_and_range};

// The job is paused, unless that was withdrawn (it returns no row then), or goes back as if this
// run had not begun: a first run that has left nothing behind never did.
inline constexpr storage::statement hold_jobs{
    "hold_jobs",
    R"(
with w as materialized (
    select * from json_to_recordset($1::json) as t(i int, job_id bigint, state text, uncount smallint)
)
update postrider.job j
set state = w.state, run_no = j.run_no - w.uncount,
    started_at = case when j.run_no > w.uncount
                        or exists (select from postrider.step s
                                   where s.job_id between $2::bigint and $3::bigint and s.job_id = j.job_id)
                        or exists (select from postrider.effect e
                                   where e.job_id between $2::bigint and $3::bigint and e.job_id = j.job_id)
                      then j.started_at end,
    asked = case when w.state <> 'paused' then j.asked end,
    paused_at = case when w.state = 'paused' then postrider.now() end
from w
where j.job_id between $2::bigint and $3::bigint and j.job_id = any(array(select job_id from w))
  and j.job_id + 0 = w.job_id and j.state = 'running' and (w.state <> 'paused' or j.asked = 'pause')
returning w.i
)",
    90,
    storage::rows_and_range};

// What the job paid is that of all its tries, in earlier lives too; this commit's stand by now. Where its
// only run knows it (`paid`), nobody looks. No number of theirs, however wrong, keeps the job from ending.
inline constexpr storage::statement settle_jobs{
    "settle_jobs",
    R"(
with w as materialized (
    select t.*, p.* from json_to_recordset($1::json) as t(i int, job_id bigint, state text, output jsonb,
        error_class text, error text, degraded boolean, degraded_reason text, paid jsonb)
    cross join lateral (
        select postrider.as_bigint(sum((u.usage ->> 'tokens_in')::bigint)) as tokens_in,
               postrider.as_bigint(sum((u.usage ->> 'tokens_out')::bigint)) as tokens_out,
               postrider.as_bigint(sum((u.usage ->> 'tokens_cached')::bigint)) as tokens_cached,
               nullif(postrider.as_bigint(sum((u.usage ->> 'cost_micro')::bigint)), 0) as cost_micro
        from (select t.paid as usage where t.paid is not null
              union all
              select s.usage from postrider.step s
              where t.paid is null and s.job_id between $2::bigint and $3::bigint and s.job_id = t.job_id
                and s.usage is not null) u) p
)
update postrider.job j
set state = w.state, finished_at = postrider.now(), output = w.output, error_class = w.error_class,
    error = w.error, tokens_in = w.tokens_in, tokens_out = w.tokens_out, tokens_cached = w.tokens_cached,
    cost_micro = w.cost_micro, degraded = w.degraded,
    degraded_reason = w.degraded_reason, asked = null
from w
where j.job_id between $2::bigint and $3::bigint and j.job_id = any(array(select job_id from w))
  and j.job_id + 0 = w.job_id and j.state = 'running'
)",
    91,
    storage::rows_and_range};

// A later run goes as far as its record, begins nothing new, undoes, and comes to this ending.
inline constexpr storage::statement begin_rollback{
    "begin_rollback",
    R"(
update postrider.job j set rolling_back = t.outcome
from json_to_recordset($1::json) as t(i int, job_id bigint, outcome jsonb)
where j.job_id between $2::bigint and $3::bigint and j.job_id = t.job_id and j.state = 'running'
)",
    92,
    storage::rows_and_range};

} // namespace postrider::queue::sql
