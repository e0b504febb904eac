#include "queue/store/later.hpp"

#include "base/json/row.hpp"
#include "queue/store/sql.hpp"
#include "queue/store/statements.hpp"

namespace postrider::queue {

namespace {

using std::chrono::milliseconds;

} // namespace

storage::write enqueue_later(later_job const& job) {
    base::json_row row{
        {"kind", job.kind},
        {"input", job.input},
        {"priority", job.priority},
    };
    if (job.lane_key.empty())
        row.add({"lane_id", base::raw(job.lane)});
    else
        row.add({"lane_key", job.lane_key});
    if (auto at = std::get_if<base::sys_time>(&job.due))
        row.add({"at_us", at->time_since_epoch().count()});
    else
        row.add({"delay_ms", std::get<milliseconds>(job.due).count()});
    if (job.while_running) row.add({"while_running", base::raw(*job.while_running)});
    if (job.deadline) row.add({"limit_ms", job.deadline->count()});
    if (auto const& unique = job.unique) {
        row.add({"unique_key", unique->key});
        if (unique->debounce) row.add({"debounce_ms", unique->debounce->count()});
        if (unique->longest_wait) row.add({"longest_ms", unique->longest_wait->count()});
    }
    return {&sql::enqueue_later, std::move(row).text()};
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
    auto returned = tx.query(sql::enqueue_later, {"[" + row + "]"});
    if (returned.empty()) throw storage::database_error("enqueue_later: no such lane");
    return read_later(returned.front());
}

} // namespace postrider::queue
