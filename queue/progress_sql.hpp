#pragma once
// The statements of a worker's commit, in the order in which one transaction runs them. Each takes
// $1 = json array of rows with "i"; the orders between 10 and 70 belong to other rooms' rows.
//
// "= any(array(...))" bounds what an update reads whatever the plan was made for, and "+ 0" keeps
// the join out of the index: plans made while the tables were empty took a second otherwise
// (measured).
#include "storage/database.hpp"

namespace postrider::queue::sql {

// Locks the lanes in id order; a lane that this node does not lease with this epoch returns no row.
inline constexpr storage::statement fence{
    "fence",
    R"(
select o.i, r.arrivals, r.edits
from (select * from jsonb_to_recordset($1::jsonb) as t(i int, lane_id bigint, epoch bigint, node_id bigint)
      order by lane_id) o
cross join lateral (select r.arrivals, r.edits from postrider.lane_run r
                    where r.lane_id = o.lane_id and r.node_id = o.node_id and r.epoch = o.epoch for update) r
)",
    0};

// A commit whose answer was lost is sent again under the same lease: the rows may stand already.
inline constexpr storage::statement record_tries{
    "record_tries",
    R"(
insert into postrider.step (job_id, key, attempt, seq, outcome, result, error_class, error, policy,
                            started_at, ended_at, next_at, node_id)
select job_id, key, attempt, seq, outcome, result, error_class, error, policy,
       postrider.now() - took * interval '1 us', postrider.now(), postrider.now() + next_in * interval '1 ms', node_id
from jsonb_to_recordset($1::jsonb) as t(i int, job_id bigint, key text, attempt smallint, seq smallint, outcome text,
     result jsonb, error_class text, error text, policy jsonb, took bigint, next_in bigint, node_id bigint)
on conflict do nothing
)",
    70};

inline constexpr storage::statement plan_effects{
    "plan_effects",
    R"(
insert into postrider.effect (job_id, key, kind, class, state, request)
select job_id, key, kind, class, state, request
from jsonb_to_recordset($1::jsonb) as t(i int, job_id bigint, key text, kind text, class text, state text, request jsonb)
on conflict do nothing
)",
    72};

inline constexpr storage::statement change_effects{
    "change_effects",
    R"(
with w as materialized (
    select * from jsonb_to_recordset($1::jsonb)
        as t(i int, job_id bigint, key text, state text, flagged boolean, result jsonb)
)
update postrider.effect e
set state = w.state, flagged = e.flagged or w.flagged, result = coalesce(w.result, e.result),
    settled_at = case when w.state in ('done', 'failed', 'unknown') then postrider.now() end
from w
where e.job_id = any(array(select job_id from w)) and e.job_id + 0 = w.job_id and e.key || '' = w.key
)",
    74};

// The job waits, or goes back as if this run had not begun.
inline constexpr storage::statement hold_jobs{
    "hold_jobs",
    R"(
with w as materialized (
    select * from jsonb_to_recordset($1::jsonb) as t(i int, job_id bigint, state text, uncount smallint)
)
update postrider.job j set state = w.state, run_no = j.run_no - w.uncount
from w
where j.job_id = any(array(select job_id from w)) and j.job_id + 0 = w.job_id and j.state = 'running'
)",
    90};

inline constexpr storage::statement settle_jobs{
    "settle_jobs",
    R"(
with w as materialized (
    select * from jsonb_to_recordset($1::jsonb) as t(i int, job_id bigint, state text, output jsonb,
        error_class text, error text, tokens_in int, tokens_out int)
)
update postrider.job j
set state = w.state, finished_at = postrider.now(), output = w.output, error_class = w.error_class,
    error = w.error, tokens_in = w.tokens_in, tokens_out = w.tokens_out
from w
where j.job_id = any(array(select job_id from w)) and j.job_id + 0 = w.job_id and j.state = 'running'
)",
    91};

// The lane's last arrival is over. The row is locked by the fence, so none can come in between.
inline constexpr storage::statement end_lanes{
    "end_lanes",
    R"(
delete from postrider.lane_run where lane_id = any(array(
    select lane_id from jsonb_to_recordset($1::jsonb) as t(i int, lane_id bigint)))
)",
    92};

// The lane is free for any node, from `delay` milliseconds on.
inline constexpr storage::statement free_lanes{
    "free_lanes",
    R"(
with w as materialized (
    select * from jsonb_to_recordset($1::jsonb) as t(i int, lane_id bigint, head bigint, delay bigint, reason text)
)
update postrider.lane_run r
set node_id = null, ready_at = postrider.now() + w.delay * interval '1 ms', head = w.head,
    wait_reason = nullif(w.reason, '')
from w
where r.lane_id = any(array(select lane_id from w)) and r.lane_id + 0 = w.lane_id
)",
    94};

// The lane stays with this node; its next job runs. A fresh snapshot after the fence's lock sees
// every job whose arrival the fence counted. One found running was handed on by a commit whose
// answer was lost.
inline constexpr storage::statement next_job{
    "next_job",
    R"(
with w as materialized (
    select * from jsonb_to_recordset($1::jsonb) as t(i int, lane_id bigint, after bigint)
), n as materialized (
    select w.i, w.lane_id, x.job_id from w
    cross join lateral (select j.job_id from postrider.job j
                        where j.lane_id = w.lane_id and j.job_id > w.after
                          and j.state in ('available', 'scheduled', 'waiting', 'retryable', 'running')
                        order by j.job_id limit 1) x
), h as (
    update postrider.lane_run r set head = n.job_id from n
    where r.lane_id = any(array(select lane_id from n)) and r.lane_id + 0 = n.lane_id
), g as (
    update postrider.job j
    set state = 'running', run_no = j.run_no + 1, started_at = coalesce(j.started_at, postrider.now())
    where j.job_id = any(array(select job_id from n))
    returning j.job_id, j.lane_id, j.conversation_id, j.arrival, j.run_no, j.lost, j.kind, j.input
)
select n.i, g.* from n left join g on g.job_id = n.job_id
)",
    96};

} // namespace postrider::queue::sql
