#pragma once
// The statements of queue/limits/limits.cpp. Each takes $1 = json array of rows with "i". What they
// change may be lost with the server's power, so none waits for the disk.
#include "storage/database.hpp"

namespace postrider::queue::sql {

// Columns of a gate, from 1 on: name, rate, burst, breaker, milliseconds until it may open (null =
// until it works), failures, reason.
inline constexpr storage::statement read_gates{
    "read_gates",
    R"(
select t.i, b.name, b.rate, b.burst, b.breaker,
       case when b.open_until < 'infinity' then ceil(1000 * extract(epoch from b.open_until - postrider.now()))::bigint end,
       b.failures, b.reason
from json_to_recordset($1::json) as t(i int) cross join postrider.bucket b
)",
    0};

inline constexpr storage::statement define_bucket{
    "define_bucket",
    R"(
select t.i, postrider.bucket_define(name, rate, burst)
from json_to_recordset($1::json) as t(i int, name text, rate float8, burst float8)
where rate is not null or exists (select from postrider.bucket b where b.name = t.name and b.rate is not null)
)",
    0};

// False and nothing else while another session has locked the bucket. Tokens that are free at once;
// when there is none, the wait of one that is reserved.
inline constexpr storage::statement take_tokens{
    "take_tokens",
    R"(
with t as materialized (
    select *, set_config('synchronous_commit', 'off', true)
    from json_to_recordset($1::json) as t(i int, name text, most int, at_most bigint)
), f as materialized (
    select t.*, postrider.bucket_lock(t.name) as free from t
)
select f.i, f.free, l.n, case when l.n = 0 then postrider.bucket_take(f.name, 1, f.at_most) else 0 end
from f cross join lateral (select case when f.free then postrider.bucket_lease(f.name, f.most) end as n) l
)",
    0};

// The same, then what bucket_probe says.
inline constexpr storage::statement probe_bucket{
    "probe_bucket",
    R"(
with f as materialized (
    select i, name, job, lasts_ms, postrider.bucket_lock(name) as free
    from json_to_recordset($1::json) as t(i int, name text, job bigint, lasts_ms bigint)
)
select i, free, case when free then postrider.bucket_probe(name, job, lasts_ms) end from f
)",
    0};

// A page of the places: where the next one begins, and how many there were at first.
inline constexpr storage::statement wake_bucket{
    "wake_bucket",
    R"(
select t.i, w.last_since, w.last_job, w.places
from json_to_recordset($1::json) as t(i int, name text, most int, after timestamptz, after_job bigint, at_first bigint, seen int)
cross join lateral postrider.bucket_wake(t.name, t.most, coalesce(t.after, '-infinity'), coalesce(t.after_job, 0),
                                         t.at_first, coalesce(t.seen, 0)) w
)",
    0};

// No row while another session has locked the bucket.
inline constexpr storage::statement report_bucket{
    "report_bucket",
    R"(
with t as materialized (
    select * from json_to_recordset($1::json) as t(i int, name text, outcome text, n int, ms bigint, reason text)
    where postrider.bucket_lock(t.name)
)
select t.i, b.name, b.rate, b.burst, b.breaker,
       case when b.open_until < 'infinity' then ceil(1000 * extract(epoch from b.open_until - postrider.now()))::bigint end,
       b.failures, b.reason
from t cross join lateral postrider.bucket_report(t.name, t.outcome, t.n, t.ms, t.reason) b
)",
    0};

inline constexpr storage::statement find_place{
    "find_place",
    R"(
select t.i, (1000 * extract(epoch from postrider.now() - w.since))::bigint,
       ceil(1000 * extract(epoch from w.until_at - postrider.now()))::bigint, w.reserved, w.until_at
from json_to_recordset($1::json) as t(i int, job_id bigint, resource text)
cross join lateral (select * from postrider.bucket_place w where w.job_id = t.job_id and w.resource = t.resource offset 0) w
)",
    0};

// The job keeps why it waited.
inline constexpr storage::statement leave_place{
    "leave_place",
    R"(
with t as materialized (
    select * from json_to_recordset($1::json) as t(i int, job_id bigint, resource text, until timestamptz, waited bigint, passed boolean)
), p as (
    delete from postrider.bucket_place w using t
    where w.job_id = any(array(select job_id from t)) and w.job_id + 0 = t.job_id and w.resource = t.resource
      and w.until_at = t.until
    returning w.job_id, w.since, w.since + t.waited * interval '1 ms' as ended_at, w.reason, case when not t.passed then 'it gave up' end as ending
), e as materialized (
    select job_id, jsonb_agg(postrider.ended_wait('limit', since, reason, ending => ending, ended_at => ended_at) order by since) as waits
    from p group by job_id
)
update postrider.job j set waited = postrider.with_waits(j.waited, e.waits)
from e
where j.job_id between $2::bigint and $3::bigint and j.job_id = any(array(select job_id from e))
  and j.job_id + 0 = e.job_id
)",
    76,
    storage::rows_and_range};

// `since` stays that of the first wait.
inline constexpr storage::statement keep_place{
    "keep_place",
    R"(
insert into postrider.bucket_place (job_id, lane_id, until_at, reserved, resource, reason)
select job_id, lane_id, postrider.now() + ms * interval '1 ms', reserved, resource, reason
from json_to_recordset($1::json) as t(i int, job_id bigint, lane_id bigint, ms bigint, reserved boolean, resource text, reason text)
on conflict (job_id, resource) do update
set until_at = excluded.until_at, reserved = excluded.reserved, reason = excluded.reason
)",
    77};

} // namespace postrider::queue::sql
