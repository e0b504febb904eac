#include "queue/store/later.hpp"

#include "queue/store/sql.hpp"

namespace postrider::queue {

namespace {

using std::chrono::milliseconds;

// In the order of the keys, so that all nodes lock them in one order.
constexpr storage::statement enqueue_later_jobs{
    "enqueue_later",
    R"(
select t.i, l.job_id, l.created, (extract(epoch from l.due_at) * 1000000)::bigint
from (select * from json_to_recordset($1::json) as t(i int, lane_id bigint, lane_key text, kind text, input jsonb,
          delay_ms bigint, at_us bigint, unique_key text, debounce_ms bigint, longest_ms bigint, priority int, limit_ms bigint,
          while_running bigint)
      where t.while_running is null
         or exists (select from postrider.job j where j.job_id = t.while_running and j.state = 'running')
      order by unique_key nulls first, i) t
cross join lateral postrider.job_later(
    coalesce(t.lane_id, (select l.lane_id from postrider.lane l where l.lane_key = t.lane_key)), t.kind, t.input,
    coalesce('epoch'::timestamptz + t.at_us * interval '1 us', postrider.now() + t.delay_ms * interval '1 ms'),
    t.unique_key, t.debounce_ms * interval '1 ms', t.longest_ms * interval '1 ms', t.priority,
    t.limit_ms * interval '1 ms') l
)",
    31};

} // namespace

storage::write enqueue_later(later_job const& job) {
    boost::json::object row{
        {"kind", job.kind},
        {"input", storable(job.input)},
        {"priority", job.priority},
    };
    if (job.lane_key.empty())
        row["lane_id"] = base::raw(job.lane);
    else
        row["lane_key"] = job.lane_key;
    if (auto at = std::get_if<base::sys_time>(&job.due))
        row["at_us"] = at->time_since_epoch().count();
    else
        row["delay_ms"] = std::get<milliseconds>(job.due).count();
    if (job.while_running) row["while_running"] = base::raw(*job.while_running);
    if (job.deadline) row["limit_ms"] = job.deadline->count();
    if (auto const& unique = job.unique) {
        row["unique_key"] = storable(unique->key);
        if (unique->debounce) row["debounce_ms"] = unique->debounce->count();
        if (unique->longest_wait) row["longest_ms"] = unique->longest_wait->count();
    }
    return {&enqueue_later_jobs, boost::json::serialize(row)};
}

later_enqueued read_later(storage::row const& returned) {
    return {
        returned.id<job_id>(1),
        returned.boolean(2),
        returned.time(3),
    };
}

later_enqueued enqueue_later(storage::transaction& tx, later_job const& job) {
    auto row = enqueue_later(job).row;
    row.insert(1, "\"i\":0,");
    auto returned = tx.query(enqueue_later_jobs, {"[" + row + "]"});
    if (returned.empty()) throw storage::database_error("enqueue_later: no such lane");
    return read_later(returned.front());
}

} // namespace postrider::queue
