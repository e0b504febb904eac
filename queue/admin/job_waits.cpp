#include "queue/admin/job_waits.hpp"

#include "queue/store/sql.hpp"

namespace postrider::queue {

namespace {

using std::chrono::microseconds;

constexpr storage::statement waits_of_job{"waits_of_job", R"sql(
select w.cause, w.reason, postrider.iso(w.since), postrider.iso(w.until),
       (extract(epoch from w.since - j.created_at) * 1000000)::bigint,
       (extract(epoch from coalesce(w.until, postrider.now()) - w.since) * 1000000)::bigint, w.ended_by
from postrider.job_waits w
join postrider.job j using (job_id)
where w.job_id = $1::bigint
order by w.since, w.until)sql"};

} // namespace

std::vector<job_wait> list_job_waits(storage::transaction& tx, job_id job) {
    std::vector<job_wait> waits;
    for (auto const& r : tx.query(waits_of_job, {job}))
        waits.push_back(
            {.cause = r.text(0),
             .reason = r.text(1),
             .since = r.text(2),
             .until = r.optional_text(3).value_or(""),
             .begins = microseconds{r.int64(4)},
             .took = microseconds{r.int64(5)},
             .ended_by = r.optional_text(6).value_or("")}
        );
    return waits;
}

} // namespace postrider::queue
