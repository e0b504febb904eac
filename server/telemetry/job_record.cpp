#include "server/telemetry/job_record.hpp"

#include "queue/admin/operations.hpp"

#include <algorithm>
#include <charconv>
#include <map>

namespace postrider::telemetry {

namespace {

using std::chrono::microseconds;
using storage::statement;

#define POSTRIDER_MICROSECONDS(instant) "(extract(epoch from " instant ") * 1000000)::bigint"

// $1 the jobs.
constexpr statement ended_jobs{
    "telemetry.jobs",
    "select j.job_id, j.kind, j.state, j.error_class, coalesce(j.degraded, false), j.run_no, "
    "j.restarts, j.conversation_id, " POSTRIDER_MICROSECONDS("coalesce(j.begun_at, j.created_at)"
    ) ", " POSTRIDER_MICROSECONDS("j.finished_at") R"sql(,
       j.input->>'flow', j.input->>'version', j.input->>'traceparent'
from unnest($1::bigint[]) n(job_id)
cross join lateral (
    select * from postrider.job j where j.job_id = n.job_id and j.finished_at is not null offset 0) j)sql"};

// $1 the jobs. Records of earlier lives have ~N behind their keys, or ended before the present one began,
// as the copies did that a fork was given. Times are estimates, so that a first life has no such limit.
// A sleep is one row, done as soon as it begins. Only a model's result is opened, and once.
constexpr statement steps_of_jobs{
    "telemetry.steps",
    "select s.job_id, s.key, s.attempt, s.outcome, " POSTRIDER_MICROSECONDS("s.started_at"
    ) ", " POSTRIDER_MICROSECONDS("case when s.outcome = 'done' and s.next_at > s.ended_at then "
                                  "least(s.next_at, j.finished_at) "
                                  "else s.ended_at end") R"sql(,
       s.error_class, m.model, m.stop,
       jsonb_path_query_array(m.calls, '$[*].name')::text,
       jsonb_path_query_array(m.calls, '$[*].id')::text,
       s.usage->>'tokens_in', s.usage->>'tokens_out', s.usage->>'tokens_cached', s.usage->>'cost_micro',
       e.kind, e.class, e.state
from unnest($1::bigint[]) n(job_id)
cross join lateral (select * from postrider.job j where j.job_id = n.job_id offset 0) j
cross join lateral (
    select * from postrider.step s
    where s.job_id = n.job_id and position('~' in s.key) = 0
      and (j.begun_at is null and j.forked_from is null
           or s.ended_at >= coalesce(j.begun_at, j.created_at))
    order by s.seq, s.attempt
    limit 500) s
left join lateral (
    select r.model, r.stop, r.calls
    from jsonb_to_record(
        case when jsonb_typeof(s.result) = 'object' then s.result end) r(model text, stop text, calls jsonb)
    where s.key ~ '/model(:[0-9.]+)?(#[0-9]+)?$' offset 0) m on true
left join lateral (
    select * from postrider.effect e where e.job_id = n.job_id and e.key = s.key offset 0) e on true
order by s.job_id, s.seq, s.attempt)sql"};

#undef POSTRIDER_MICROSECONDS

base::sys_time instant(storage::row const& r, std::size_t column) {
    return base::sys_time{microseconds{r.int64(column)}};
}

std::string text_or_empty(storage::row const& r, std::size_t column) {
    return r.optional_text(column).value_or("");
}

// Others may have written the value: what is no number counts as none.
std::optional<std::int64_t> number(storage::row const& r, std::size_t column) {
    auto const text = text_or_empty(r, column);
    std::int64_t value = 0;
    auto const [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || ec != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::vector<std::string> texts(storage::row const& r, std::size_t column) {
    std::vector<std::string> elements;
    if (r.null(column)) return elements;
    auto const values = r.try_json(column);
    if (!values || !values->is_array()) return elements;
    for (auto const& value : values->get_array())
        elements.emplace_back(value.is_string() ? std::string_view(value.get_string()) : "");
    return elements;
}

job_record job_of(storage::row const& r) {
    job_record job;
    job.id = r.id<job_id>(0);
    job.kind = r.text(1);
    job.state = r.text(2);
    job.error_class = text_or_empty(r, 3);
    job.degraded = r.boolean(4);
    job.runs = r.int64(5);
    job.restarts = r.int64(6);
    job.conversation = r.id<conversation_id>(7);
    job.began = instant(r, 8);
    job.ended = instant(r, 9);
    job.flow = text_or_empty(r, 10);
    job.version = number(r, 11);
    job.traceparent = text_or_empty(r, 12);
    return job;
}

std::optional<queue::usage> paid(storage::row const& r, std::size_t first) {
    auto const tokens_in = number(r, first);
    auto const tokens_out = number(r, first + 1);
    if (!tokens_in && !tokens_out) return std::nullopt;
    queue::usage used;
    used.tokens_in = tokens_in.value_or(0);
    used.tokens_out = tokens_out.value_or(0);
    used.tokens_cached = number(r, first + 2).value_or(0);
    used.cost_micro = number(r, first + 3).value_or(0);
    return used;
}

step_record step_of(storage::row const& r) {
    step_record step;
    step.key = r.text(1);
    step.attempt = r.int64(2);
    step.outcome = r.text(3);
    step.began = instant(r, 4);
    step.ended = instant(r, 5);
    step.error_class = text_or_empty(r, 6);
    step.model = text_or_empty(r, 7);
    step.stop = text_or_empty(r, 8);
    step.call_names = texts(r, 9);
    step.call_ids = texts(r, 10);
    step.paid = paid(r, 11);
    if (!r.null(15)) step.effect = effect_record{r.text(15), r.text(16), r.text(17)};
    return step;
}

} // namespace

std::vector<job_record> read_ended_jobs(storage::transaction& tx, std::span<job_id const> jobs) {
    std::vector<job_record> records;
    std::map<job_id, std::size_t> places;
    for (auto const& r : tx.query(ended_jobs, {queue::to_array(jobs)})) {
        records.push_back(job_of(r));
        places.emplace(records.back().id, records.size() - 1);
    }
    std::vector<job_id> ids;
    ids.reserve(records.size());
    for (auto const& job : records) ids.push_back(job.id);
    if (ids.empty()) return records;
    for (auto const& r : tx.query(steps_of_jobs, {queue::to_array(ids)}))
        records[places.at(r.id<job_id>(0))].steps.push_back(step_of(r));
    return records;
}

} // namespace postrider::telemetry
